// Checks the validation rules of a new definition. Source: upstream 1.36 apiextensions-apiserver
// pkg/apis/apiextensions/validation/{validation,cel_validation}.go.
#include "custom/definition/cel_rule_checks.h"

#include <algorithm>
#include <limits>

#include "base/algorithm/sort.h"
#include "base/go/text.h"
#include "base/numbers/float_digits.h"
#include "codec/json_writer.h"
#include "custom/schema/cel_rules.h"
#include "custom/schema/compiled_rule.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;

constexpr std::uint64_t kUnbounded = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kRuleLimit = 10'000'000;
constexpr std::uint64_t kSchemaLimit = 100'000'000;
constexpr std::uint64_t kRequestBytes = 3 * 1024 * 1024;
constexpr std::string_view kRulesMember = "x-kubernetes-validations";

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return a != 0 && kUnbounded / a < b ? kUnbounded : a * b;
}

// Prints the rule for an error, in the server's internal form.
std::string printed_rule(const Value& rule) {
  constexpr std::string_view kNames[][2] = {
      {"Rule", "rule"},     {"Message", "message"},     {"MessageExpression", "messageExpression"},
      {"Reason", "reason"}, {"FieldPath", "fieldPath"}, {"OptionalOldSelf", "optionalOldSelf"}};
  json::Arena arena;
  Value shown = Value::object(arena);
  for (const auto& [name, member] : kNames) {
    const Value* found = rule.find(member);
    const bool may_be_null = name == "Reason" || name == "OptionalOldSelf";
    shown.append(arena, name,
                 found != nullptr ? *found
                 : may_be_null    ? Value::null()
                                  : Value::string(""));
  }
  return codec::json_text(shown);
}

std::string over_budget(std::string_view name, std::uint64_t cost, std::uint64_t limit) {
  const double factor = static_cast<double>(cost) / static_cast<double>(limit);
  const std::string shown =
      factor > 100 ? "more than 100" : format_fixed(factor, factor < 1.5 ? 6 : 1);
  return std::string(name) + " exceeds budget by factor of " + shown +
         "x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where "
         "arrays, maps, and strings are declared)";
}

// The total cost of the rules of a schema.
class RuleCost {
 public:
  void add(const field::Path& path, std::uint64_t cost) {
    total_ = total_ > kUnbounded - cost ? kUnbounded : total_ + cost;
    if (cost >= kSchemaLimit / 100) worst_.push_back({path, cost});
  }

  void report(const field::Path& schema, field::ErrorList& errors) {
    if (total_ <= kSchemaLimit) return;
    sort_stable(worst_, [](const Cost& a, const Cost& b) { return a.cost > b.cost; });
    for (std::size_t i = 0; i < std::min<std::size_t>(worst_.size(), 4); ++i) {
      errors.push_back(field::forbidden(
          worst_[i].path,
          "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 "
          "schema"));
    }
    errors.push_back(field::forbidden(
        schema, over_budget("x-kubernetes-validations estimated rule cost total for entire "
                            "OpenAPIv3 schema",
                            total_, kSchemaLimit)));
  }

 private:
  struct Cost {
    field::Path path;
    std::uint64_t cost;
  };
  std::uint64_t total_ = 0;
  std::vector<Cost> worst_;
};

class RuleCheck {
 public:
  RuleCheck(const CelRuleNode& site, RuleCost& total, field::ErrorList& errors)
      : site_(site), total_(total), errors_(errors) {}

  void check() {
    const cel::Type* type = cel::schema_type(*site_.schema, site_.whole, arena_);
    const Value& rules = *site_.schema->find(kRulesMember);
    if (!type->exposed) {
      errors_.push_back({"InternalError", site_.path.child(kRulesMember).text(),
                         "Internal error: internal error: failed to construct type information for "
                         "x-kubernetes-validations rules: unable to convert structural schema to "
                         "CEL declarations"});
      return;
    }
    for (std::uint32_t i = 0; i < rules.size(); ++i) {
      rule(rules.items()[i], *type, site_.path.child(kRulesMember).index(i));
    }
  }

 private:
  void rule(const Value& rule, const cel::Type& type, const field::Path& path) {
    const CompiledRule compiled = compile_rule(rule, type);
    const field::Path at = path.child("rule");
    const std::uint64_t cost = compiled.program ? compiled.program->estimate_cost(&type).max : 0;
    const std::uint64_t times_there =
        site_.most ? *site_.most : kRequestBytes / (static_cast<std::uint64_t>(type.min_size) + 1);
    charge(at, "estimated rule cost", times(cost, times_there));
    if (!compiled.error.empty()) {
      errors_.push_back(field::invalid(at, printed_rule(rule), compiled.error));
    }
    const field::Path message = path.child("messageExpression");
    if (!compiled.message_error.empty()) {
      errors_.push_back(field::invalid(message, printed_rule(rule), compiled.message_error));
    } else if (compiled.message) {
      charge(message, "estimated messageExpression cost",
             compiled.message->estimate_cost(&type).max);
    }
    old_value(rule, compiled, path);
  }

  void charge(const field::Path& path, std::string_view name, std::uint64_t cost) {
    if (cost > kRuleLimit) {
      errors_.push_back(field::forbidden(path, over_budget(name, cost, kRuleLimit)));
    }
    total_.add(path, cost);
  }

  void old_value(const Value& rule, const CompiledRule& compiled, const field::Path& path) {
    const Value* optional = rule.find("optionalOldSelf");
    if (compiled.uses_old && !site_.uncorrelatable.empty()) {
      errors_.push_back(field::invalid(
          path.child("rule"), go_quote(rule.string_at("rule")),
          "oldSelf cannot be used on the uncorrelatable portion of the schema within " +
              site_.uncorrelatable));
    } else if (!compiled.uses_old && optional != nullptr && optional->is_bool()) {
      errors_.push_back(field::invalid(path.child("optionalOldSelf"),
                                       optional->as_bool() ? "true" : "false",
                                       "may not be set if oldSelf is not used in rule"));
    }
  }

  const CelRuleNode& site_;
  RuleCost& total_;
  field::ErrorList& errors_;
  json::Arena arena_;
};

}  // namespace

void check_cel_rules(const std::vector<CelRuleNode>& sites, const validation::Field& schema) {
  RuleCost total;
  for (const CelRuleNode& site : sites) RuleCheck(site, total, schema.errors()).check();
  total.report(schema.path(), schema.errors());
}

}  // namespace tabernetes::registry::custom
