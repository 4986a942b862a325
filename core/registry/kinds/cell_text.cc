#include "registry/kinds/cell_text.h"

#include <set>
#include <utility>

#include "base/rfc3339.h"
#include "base/sort.h"
#include "registry/kinds/row.h"
#include "registry/names.h"

namespace tabernetes::registry {
namespace {

using json::Member;
using json::Range;
using json::Value;

// Key and printed form of one term of a selector.
using Requirement = std::pair<std::string, std::string>;

bool is_valid_label(std::string_view key, std::string_view value) {
  return qualified_name_faults(key).empty() && label_value_faults(value).empty();
}

// False if the API would refuse the expression.
bool format_expression(const Value& expression, std::vector<Requirement>& out) {
  const std::string key(expression.string_at("key"));
  const std::string_view op = expression.string_at("operator");
  std::vector<std::string> values;
  for (const Value& value : items_at(expression, {"values"})) {
    if (value.is_string()) values.emplace_back(value.as_string());
  }
  if (!is_valid_label(key, "")) return false;
  for (const std::string& value : values) {
    if (!is_valid_label(key, value)) return false;
  }
  sort_stable(values);
  if (op == "In" || op == "NotIn") {
    if (values.empty()) return false;
    out.emplace_back(key, key + (op == "In" ? " in (" : " notin (") + join(values, ",") + ")");
    return true;
  }
  if (!values.empty()) return false;
  if (op == "Exists") {
    out.emplace_back(key, key);
  } else if (op == "DoesNotExist") {
    out.emplace_back(key, "!" + key);
  } else {
    return false;
  }
  return true;
}

// The texts of human_duration() change only at multiples of this, for ages like this one.
std::int64_t step_of_text(std::int64_t nanoseconds) {
  constexpr std::int64_t kSecond = 1'000'000'000, kMinute = 60 * kSecond, kHour = 60 * kMinute;
  if (nanoseconds < 10 * kMinute) return kSecond;
  if (nanoseconds < 8 * kHour) return kMinute;
  return kHour;
}

std::string members_joined(Range<Value> containers, std::string_view member) {
  std::string joined;
  bool first = true;
  for (const Value& container : containers) {
    if (!std::exchange(first, false)) joined += ",";
    joined += container.string_at(member);
  }
  return joined;
}

}  // namespace

Age age_at(std::string_view rfc3339, Time now) {
  const auto then = parse_rfc3339(rfc3339);
  if (!then) return {std::string(kUnknown), {}};
  Age age{human_duration(now - *then), {}};
  const std::int64_t past = (now - *then).nanoseconds;
  const std::int64_t step = past < 0 ? 1 : step_of_text(past);
  const Time from{now.unix_nanoseconds - past % step};
  age.validity.narrow(from, from + Duration{step});
  return age;
}

std::string span_text(std::string_view from, std::string_view to) {
  const auto start = parse_rfc3339(from);
  const auto end = parse_rfc3339(to);
  return start && end ? human_duration(*end - *start) : std::string();
}

std::string labels_text(const Value* labels) {
  std::vector<std::string> texts;
  if (labels != nullptr && labels->is_object()) {
    for (const Member& label : labels->members()) {
      std::string text(label.key);
      text += '=';
      if (label.value.is_string()) text += label.value.as_string();
      texts.push_back(std::move(text));
    }
    sort_stable(texts);
  }
  return texts.empty() ? std::string(kNone) : join(texts, ",");
}

bool format_label_selector(const Value* selector, std::string& out) {
  out.clear();
  if (selector == nullptr) return true;
  std::vector<Requirement> requirements;
  for (const Member& label : members_at(*selector, {"matchLabels"})) {
    const std::string key(label.key);
    const std::string_view value =
        label.value.is_string() ? label.value.as_string() : std::string_view();
    if (!is_valid_label(key, value)) return false;
    requirements.emplace_back(key, key + "=" + std::string(value));
  }
  for (const Value& expression : items_at(*selector, {"matchExpressions"})) {
    if (!format_expression(expression, requirements)) return false;
  }
  sort_stable(requirements,
              [](const Requirement& a, const Requirement& b) { return a.first < b.first; });
  std::vector<std::string> texts;
  texts.reserve(requirements.size());
  for (Requirement& requirement : requirements) texts.push_back(std::move(requirement.second));
  out = join(texts, ",");
  return true;
}

std::string selector_text(const Value* selector) {
  std::string text;
  if (!format_label_selector(selector, text)) return "<error>";
  return text.empty() ? std::string(kNone) : text;
}

std::string container_names(Range<Value> containers) { return members_joined(containers, "name"); }

std::string container_images(Range<Value> containers) {
  return members_joined(containers, "image");
}

std::string join(const std::vector<std::string>& texts, std::string_view separator) {
  std::string joined;
  for (const std::string& text : texts) {
    if (&text != &texts.front()) joined += separator;
    joined += text;
  }
  return joined;
}

std::string join_first(const std::vector<std::string>& texts, std::size_t count) {
  if (texts.size() <= count) return join(texts, ",");
  const std::vector<std::string> first(texts.begin(),
                                       texts.begin() + static_cast<std::ptrdiff_t>(count));
  return join(first, ",") + " + " + std::to_string(texts.size() - count) + " more...";
}

std::string first_or_unset(const std::vector<std::string>& texts) {
  std::string text = join_first(texts, 3);
  return text.empty() ? std::string(kUnset) : text;
}

std::string join_strings(Range<Value> items, std::string_view separator) {
  std::vector<std::string> texts;
  for (const Value& item : items) {
    texts.emplace_back(item.is_string() ? item.as_string() : std::string_view());
  }
  return join(texts, separator);
}

std::string scalar_text(const Value* value) {
  if (value == nullptr) return {};
  if (value->is_string()) return std::string(value->as_string());
  if (value->is_int()) return std::to_string(value->as_int());
  if (value->is_double()) return std::string(value->double_text());
  return {};
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string load_balancer_addresses(const Value& object) {
  std::set<std::string> addresses;
  for (const Value& entry : items_at(object, {"status", "loadBalancer", "ingress"})) {
    const std::string_view ip = entry.string_at("ip");
    const std::string_view address = ip.empty() ? entry.string_at("hostname") : ip;
    if (!address.empty()) addresses.emplace(address);
  }
  return join({addresses.begin(), addresses.end()}, ",");
}

}  // namespace tabernetes::registry
