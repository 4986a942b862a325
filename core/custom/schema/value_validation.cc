#include "custom/schema/value_validation.h"

#include <cmath>
#include <limits>
#include <set>

#include "base/go/text.h"
#include "base/numbers/float_digits.h"
#include "base/text/utf8.h"
#include "codec/json_writer.h"
#include "custom/schema/correlation.h"
#include "custom/schema/printed_value.h"
#include "schema/lazy_pattern.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;
using schema::JsonType;
using schema::StringFormat;
using schema::Structural;
using schema::ValueLimits;

// kube-openapi's error, identified by its text, and the field error made from it.
struct Issue {
  std::string text;
  field::Error error;
};

// The result of validating a value with a schema. If several alternatives fail, the one with the
// most passed checks is reported; the counting of checks is upstream's.
struct Outcome {
  std::vector<Issue> issues;
  std::size_t matches = 0;

  bool valid() const { return issues.empty(); }
  void add(Outcome&& other) {
    matches += other.matches;
    for (Issue& issue : other.issues) issues.push_back(std::move(issue));
  }
};

std::string_view type_name(const Value& value) {
  switch (value.type()) {
    case json::Type::kNull:
      return "null";
    case json::Type::kBool:
      return "boolean";
    case json::Type::kInt:
      return "integer";
    case json::Type::kDouble:
      return "number";
    case json::Type::kString:
      return "string";
    case json::Type::kArray:
      return "array";
    case json::Type::kObject:
      return "object";
  }
  return {};
}

// Returns the format of a number's Go type.
std::string_view number_format_name(const Value& value) {
  return value.is_int() ? "int64" : value.is_double() ? "float64" : "";
}

constexpr double kLargestJsonInteger = 9007199254740991;  // 2^53 - 1

// Returns true for whole numbers, with go-openapi's tolerance for slightly larger ones.
bool is_whole(double number) {
  if (!(std::fabs(number) <= kLargestJsonInteger)) return false;
  const double whole = std::trunc(number);
  if (number == whole) return true;
  return whole > 0 && (number - whole) / (number + whole) < 1e-9;
}

// Converts like Go on amd64.
std::int64_t to_int64(double number) {
  constexpr double kLimit = 9223372036854775808.0;
  if (!(number >= -kLimit && number < kLimit)) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(number);
}

std::size_t rune_count(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    text.remove_prefix(decode_rune(text).size);
    ++count;
  }
  return count;
}

// `whole`: compared as an integer, not as a float.
std::string printed_number(const Value& number, bool whole) {
  return whole ? std::to_string(number.as_int()) : go_g_float(number.as_double());
}

// The Go type that a number must fit into.
enum class NumberKind { kAny, kInt32, kInt64, kFloat, kInteger };

NumberKind number_kind(const Structural& schema, bool of_default) {
  if (schema.int_or_string && !of_default) return NumberKind::kAny;
  switch (schema.type) {
    case JsonType::kInteger:
      if (schema.format == StringFormat::kInt32) return NumberKind::kInt32;
      return schema.format == StringFormat::kInt64 ? NumberKind::kInt64 : NumberKind::kInteger;
    case JsonType::kNumber:
      return schema.format == StringFormat::kFloat ? NumberKind::kFloat : NumberKind::kAny;
    default:
      return NumberKind::kAny;
  }
}

bool fits(double number, NumberKind kind) {
  switch (kind) {
    case NumberKind::kAny:
      return true;
    case NumberKind::kFloat:
      return std::fabs(number) < 3.4028235677973366e38;  // numbers that round to a float
    case NumberKind::kInt32:
      return number == std::trunc(number) && number >= -2147483648.0 && number <= 2147483647.0;
    case NumberKind::kInt64:
    case NumberKind::kInteger:
      return number == std::trunc(number) && number >= -9223372036854775808.0 &&
             number < 9223372036854775808.0;
  }
  return true;
}

bool fits(const Value& number, NumberKind kind) {
  if (number.is_int() && kind != NumberKind::kInt32) return true;
  return fits(number.as_double(), kind);
}

class Validator {
 public:
  Validator(const field::Path& at, bool of_default) : at_(at), of_default_(of_default) {}

  // `old` is the old value if errors of unchanged values are tolerated.
  void check(const Value& value, const Structural& schema, const Value* old, Outcome& out);

 private:
  // --- Errors; `rest` follows the path in the text

  std::string text(std::string_view rest) const { return path_ + " in body " + std::string(rest); }
  field::Path place(std::string_view name) const {
    if (name.starts_with('.')) name.remove_prefix(1);
    return name.empty() ? at_ : at_.child(name);
  }
  void invalid(std::string_view printed, std::string_view rest, Outcome& out) const {
    std::string all = text(rest);
    field::Error error = field::invalid(place(path_), printed, all);
    out.issues.push_back({std::move(all), std::move(error)});
  }
  // `found` is a type, or a text that does not match the format.
  void wrong_type(std::string_view wanted, std::string_view found, Outcome& out) const {
    const std::string quoted = go_quote(found);
    std::string all = text("must be of type " + std::string(wanted) + ": " + quoted);
    field::Error error = field::type_invalid(place(path_), quoted, all);
    out.issues.push_back({std::move(all), std::move(error)});
  }
  // Adds an error whose field has no path.
  void pathless(std::string all, Outcome& out) const {
    field::Error error = field::invalid(at_, "\"\"", all);
    out.issues.push_back({std::move(all), std::move(error)});
  }
  void combinator(std::string_view rest, Outcome& out) const {
    pathless(go_quote(path_) + " must " + std::string(rest), out);
  }
  void too_many(std::size_t count, std::int64_t most, std::string_view what, Outcome& out) const {
    out.issues.push_back(
        {text("should have at most " + std::to_string(most) + " " + std::string(what)),
         field::too_many(place(path_), count, static_cast<std::size_t>(most))});
  }

  // --- Checks, in upstream's order

  void check_present(const Value& value, const Structural& schema, const Value* old, Outcome& out);
  bool check_type(const Value& value, const Structural& schema, Outcome& out) const;
  void check_junctors(const Value& value, const ValueLimits& limits, Outcome& out);
  void check_any_of(const Value& value, const ValueLimits& limits, Outcome& out);
  void check_one_of(const Value& value, const ValueLimits& limits, Outcome& out);
  void check_all_of(const Value& value, const ValueLimits& limits, Outcome& out);
  void check_string(std::string_view value, const ValueLimits& limits, Outcome& out) const;
  void check_number(const Value& value, const Structural& schema, Outcome& out) const;
  void check_range(bool fits, std::string_view what, const Structural& schema, Outcome& out) const;
  void check_multiple(const Value& value, double factor, bool exact, Outcome& out) const;
  void check_bound(const Value& value, double bound, bool exclusive, int direction, bool exact,
                   Outcome& out) const;
  void check_items(const Value& value, const Structural& schema, const Value* old, Outcome& out);
  void check_enum(const Value& value, const Value& allowed, Outcome& out) const;
  void check_members(const Value& value, const Structural& schema, const Value* old, Outcome& out);
  void check_member(const json::Member& member, const Structural& schema, const Value* old,
                    Outcome& out);
  void check_required(const Value& value, const ValueLimits& limits, Outcome& out) const;

  const field::Path& at_;
  const bool of_default_;
  std::string path_;
};

void Validator::check(const Value& value, const Structural& schema, const Value* old,
                      Outcome& out) {
  const std::size_t before = out.issues.size();
  if (value.is_null()) {
    if (check_type(value, schema, out)) ++out.matches;
    if (schema.limits != nullptr && schema.limits->enum_values != nullptr) {
      check_enum(value, *schema.limits->enum_values, out);
    }
  } else {
    check_present(value, schema, old, out);
  }
  if (old != nullptr && out.issues.size() > before && correlates_equal(value, *old, schema)) {
    out.issues.resize(before);
  }
}

void Validator::check_present(const Value& value, const Structural& schema, const Value* old,
                              Outcome& out) {
  static const ValueLimits kNone;
  const ValueLimits& limits = schema.limits != nullptr ? *schema.limits : kNone;
  const bool has_type = schema.type != JsonType::kNone || (schema.int_or_string && !of_default_);
  if (has_type || schema.format != StringFormat::kNone) {
    out.matches += check_type(value, schema, out) ? 2 : 1;
  }
  check_junctors(value, limits, out);
  if (value.is_string()) {
    check_string(value.as_string(), limits, out);
    ++out.matches;
    if (schema.format != StringFormat::kNone) {
      if (!schema::matches_format(schema.format, value.as_string())) {
        wrong_type(limits.format, value.as_string(), out);
      }
      ++out.matches;
    }
  }
  if (value.is_number()) check_number(value, schema, out);
  if (value.is_array()) check_items(value, schema, old, out);
  if (limits.enum_values != nullptr) check_enum(value, *limits.enum_values, out);
  ++out.matches;
  if (value.is_object()) check_members(value, schema, old, out);
  ++out.matches;
}

bool Validator::check_type(const Value& value, const Structural& schema, Outcome& out) const {
  const bool two = schema.int_or_string && !of_default_;
  const std::string_view wanted = two ? "integer,string" : schema::json_type_name(schema.type);
  const std::string_view found = type_name(value);
  if (value.is_null()) {
    if (wanted.empty() || schema.nullable) return true;
    wrong_type(wanted, found, out);
    return false;
  }
  const bool integer = two || schema.type == JsonType::kInteger;
  const bool number = schema.type == JsonType::kNumber;
  const bool same = two ? found == "integer" || found == "string" : found == wanted;
  const bool fits = same || (number && value.is_int()) ||
                    (integer && value.is_double() && is_whole(value.as_double()));
  if (schema.format != StringFormat::kNone) {
    if (value.is_string() || value.is_array()) {
      // Upstream checks strings with a format only for the format, and lists too.
      if (!integer && !number) return true;
    } else if (!fits) {
      wrong_type(schema.limits->format, number_format_name(value), out);
      return false;
    }
  }
  if (fits) return true;
  wrong_type(wanted, found, out);
  return false;
}

void Validator::check_junctors(const Value& value, const ValueLimits& limits, Outcome& out) {
  if (!limits.any_of.empty()) check_any_of(value, limits, out);
  if (!limits.one_of.empty()) check_one_of(value, limits, out);
  if (!limits.all_of.empty()) check_all_of(value, limits, out);
  if (limits.not_of != nullptr) {
    Outcome outcome;
    check(value, *limits.not_of, nullptr, outcome);
    if (outcome.valid()) combinator("not validate the schema (not)", out);
  }
  out.matches += 2;
}

void Validator::check_any_of(const Value& value, const ValueLimits& limits, Outcome& out) {
  Outcome best;
  bool first = true;
  for (const Structural* branch : limits.any_of) {
    Outcome outcome;
    check(value, *branch, nullptr, outcome);
    if (outcome.valid()) {
      out.matches += outcome.matches;
      return;
    }
    if (first || outcome.matches > best.matches) best = std::move(outcome);
    first = false;
  }
  combinator("validate at least one schema (anyOf)", out);
  out.add(std::move(best));
}

void Validator::check_one_of(const Value& value, const ValueLimits& limits, Outcome& out) {
  Outcome best;
  bool first = true;
  std::size_t valid = 0, matches = 0;
  for (const Structural* branch : limits.one_of) {
    Outcome outcome;
    check(value, *branch, nullptr, outcome);
    if (outcome.valid()) {
      if (valid++ == 0) matches = outcome.matches;
    } else if (first || outcome.matches > best.matches) {
      best = std::move(outcome);
      first = false;
    }
  }
  if (valid == 1) {
    out.matches += matches;
    return;
  }
  combinator("validate one and only one schema (oneOf). Found " +
                 (valid == 0 ? "none valid" : std::to_string(valid) + " valid alternatives"),
             out);
  if (valid == 0) out.add(std::move(best));
}

void Validator::check_all_of(const Value& value, const ValueLimits& limits, Outcome& out) {
  std::size_t valid = 0;
  for (const Structural* branch : limits.all_of) {
    Outcome outcome;
    check(value, *branch, nullptr, outcome);
    if (outcome.valid()) ++valid;
    out.add(std::move(outcome));
  }
  if (valid == limits.all_of.size()) return;
  combinator(
      std::string("validate all the schemas (allOf)") + (valid == 0 ? ". None validated" : ""),
      out);
}

void Validator::check_string(std::string_view value, const ValueLimits& limits,
                             Outcome& out) const {
  if (limits.gives(ValueLimits::kMaxLength) || limits.gives(ValueLimits::kMinLength)) {
    const auto length = static_cast<std::int64_t>(rune_count(value));
    if (limits.gives(ValueLimits::kMaxLength) && length > limits.max_length) {
      const auto most = static_cast<std::size_t>(limits.max_length);
      out.issues.push_back({text("should be at most " + std::to_string(most) + " chars long"),
                            field::too_long(place(path_), most)});
      return;
    }
    if (limits.gives(ValueLimits::kMinLength) && length < limits.min_length) {
      return invalid(go_quote(value),
                     "should be at least " + std::to_string(limits.min_length) + " chars long",
                     out);
    }
  }
  if (limits.pattern != nullptr && !limits.pattern->matches(value)) {
    invalid(go_quote(value), "should match '" + std::string(limits.pattern->text()) + "'", out);
  }
}

void Validator::check_number(const Value& value, const Structural& schema, Outcome& out) const {
  const NumberKind kind = number_kind(schema, of_default_);
  check_range(fits(value, kind), "Checked", schema, out);
  out.matches += 2;
  if (schema.limits == nullptr) return;
  const ValueLimits& limits = *schema.limits;
  if (limits.gives(ValueLimits::kMultipleOf)) {
    const bool exact = fits(limits.multiple_of, kind);
    check_range(exact, "MultipleOf", schema, out);
    check_multiple(value, limits.multiple_of, exact, out);
  }
  if (limits.gives(ValueLimits::kMinimum)) {
    const bool exact = fits(limits.minimum, kind);
    check_range(exact, "Minimum boundary", schema, out);
    check_bound(value, limits.minimum, limits.exclusive_minimum, -1, exact, out);
  }
  if (limits.gives(ValueLimits::kMaximum)) {
    const bool exact = fits(limits.maximum, kind);
    check_range(exact, "Maximum boundary", schema, out);
    check_bound(value, limits.maximum, limits.exclusive_maximum, 1, exact, out);
  }
}

void Validator::check_range(bool fits, std::string_view what, const Structural& schema,
                            Outcome& out) const {
  if (fits) return;
  const std::string format = schema.format == StringFormat::kNone
                                 ? "(default format)"
                                 : "with format " + std::string(schema.limits->format);
  pathless(std::string(what) + " value must be of type " +
               std::string(schema::json_type_name(schema.type)) + " " + format + " in " + path_,
           out);
}

// `exact`: the limit is of the values' type, so integers are compared as integers.
void Validator::check_multiple(const Value& value, double factor, bool exact, Outcome& out) const {
  const bool whole = exact && value.is_int();
  const std::int64_t whole_factor = to_int64(factor);
  const std::string printed = whole ? std::to_string(whole_factor) : go_g_float(factor);
  if (whole ? whole_factor <= 0 : factor <= 0) {
    std::string all = "factor MultipleOf declared for " + path_ + " must be positive: " + printed;
    field::Error error = field::invalid(place(path_), printed, all);
    out.issues.push_back({std::move(all), std::move(error)});
    return;
  }
  const double number = value.as_double();
  const bool fits = whole ? value.as_int() % whole_factor == 0
                          : is_whole(factor < 1 ? 1 / factor * number : number / factor);
  if (!fits) invalid(printed_number(value, whole), "should be a multiple of " + printed, out);
}

void Validator::check_bound(const Value& value, double bound, bool exclusive, int direction,
                            bool exact, Outcome& out) const {
  const bool whole = exact && value.is_int();
  int order = 0;  // of the value relative to the bound
  if (whole) {
    const std::int64_t whole_bound = to_int64(bound);
    order = value.as_int() > whole_bound ? 1 : value.as_int() < whole_bound ? -1 : 0;
  } else {
    order = value.as_double() > bound ? 1 : value.as_double() < bound ? -1 : 0;
  }
  if (order != direction && !(exclusive && order == 0)) return;
  std::string rest = direction > 0 ? "should be less than " : "should be greater than ";
  if (!exclusive) rest += "or equal to ";
  rest += whole ? std::to_string(to_int64(bound)) : go_g_float(bound);
  invalid(printed_number(value, whole), rest, out);
}

void Validator::check_items(const Value& value, const Structural& schema, const Value* old,
                            Outcome& out) {
  if (schema.items != nullptr) {
    const KeyedItems old_items(old, schema);
    const std::size_t length = path_.size();
    for (std::uint32_t i = 0; i < value.size(); ++i) {
      const Value& item = value.items()[i];
      path_.append("[").append(std::to_string(i)).append("]");
      check(item, *schema.items, old_items.find(item), out);
      path_.resize(length);
    }
  }
  out.matches += 2;
  if (schema.limits == nullptr) return;
  const ValueLimits& limits = *schema.limits;
  const std::int64_t size = value.size();
  if (limits.gives(ValueLimits::kMinItems) && size < limits.min_items) {
    invalid(std::to_string(size),
            "should have at least " + std::to_string(limits.min_items) + " items", out);
  }
  if (limits.gives(ValueLimits::kMaxItems) && size > limits.max_items) {
    too_many(value.size(), limits.max_items, "items", out);
  }
}

// Go converts between number types, so 1.5 equals 1.
bool equals_enum(const Value& value, const Value& allowed) {
  if (value.is_null() || allowed.is_null()) return false;
  if (value.is_double() && allowed.is_int()) {
    return to_int64(value.as_double()) == allowed.as_int();
  }
  return equal_values(value, allowed);
}

void Validator::check_enum(const Value& value, const Value& allowed, Outcome& out) const {
  std::vector<std::string> texts;
  for (const Value& each : allowed.items()) {
    if (equals_enum(value, each)) return;
  }
  for (const Value& each : allowed.items()) {
    texts.push_back(each.is_string() ? std::string(each.as_string()) : codec::json_text(each));
  }
  std::string all = text("should be one of [");
  for (const std::string& each : texts) all += each + " ";
  out.issues.push_back(
      {std::move(all), field::not_supported(place(path_), format_value(value), texts)});
}

void Validator::check_members(const Value& value, const Structural& schema, const Value* old,
                              Outcome& out) {
  const ValueLimits* limits = schema.limits;
  const std::int64_t size = value.size();
  if (limits != nullptr && limits->gives(ValueLimits::kMinProperties) &&
      size < limits->min_properties) {
    invalid(std::to_string(size),
            "should have at least " + std::to_string(limits->min_properties) + " properties", out);
  }
  if (limits != nullptr && limits->gives(ValueLimits::kMaxProperties) &&
      size > limits->max_properties) {
    too_many(value.size(), limits->max_properties, "properties", out);
  }
  if (!schema.properties.empty() || schema.additional_properties != schema::Additional::kNone) {
    for (const json::Member& member : value.members()) check_member(member, schema, old, out);
  }
  if (limits != nullptr) check_required(value, *limits, out);
  ++out.matches;
}

void Validator::check_member(const json::Member& member, const Structural& schema, const Value* old,
                             Outcome& out) {
  const Structural* declared = schema.property(member.key);
  const Structural* below = declared != nullptr ? declared : schema.additional;
  if (below == nullptr) {
    if (schema.additional_properties != schema::Additional::kForbidden) return;
    std::string all = path_ + "." + std::string(member.key) + " in body is a forbidden property";
    field::Error error = field::invalid(place(path_), go_quote(member.key), all);
    out.issues.push_back({std::move(all), std::move(error)});
    return;
  }
  // kind and apiVersion of the root are the request's in both values.
  const bool type_meta = path_.empty() && (member.key == "kind" || member.key == "apiVersion");
  const Value* before =
      old == nullptr || type_meta || !old->is_object() ? nullptr : old->find(member.key);
  const std::size_t length = path_.size();
  if (declared == nullptr || !path_.empty()) path_ += '.';
  path_ += member.key;
  check(member.value, *below, before, out);
  path_.resize(length);
}

void Validator::check_required(const Value& value, const ValueLimits& limits, Outcome& out) const {
  for (const std::string_view name : limits.required) {
    if (value.find(name) != nullptr) continue;
    const std::string path = path_ + "." + std::string(name);
    out.issues.push_back({path + " in body is required", field::required(place(path))});
  }
}

}  // namespace

void validate_value(const Value& value, const Structural& schema, const field::Path& path,
                    field::ErrorList& errors, const ValueValidation& options) {
  Outcome outcome;
  Validator(path, options.of_default).check(value, schema, options.old, outcome);
  if (outcome.valid()) return;
  std::set<std::string_view> seen;
  for (Issue& issue : outcome.issues) {
    if (seen.insert(issue.text).second) errors.push_back(std::move(issue.error));
  }
}

}  // namespace tabernetes::registry::custom
