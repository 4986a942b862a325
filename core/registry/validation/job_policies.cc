// When pods of a job fail it, and when it has succeeded.
// Source: upstream 1.36 pkg/apis/batch/validation/validation.go, validatePodFailurePolicy,
// validateSuccessPolicy.

#include <string>

#include "registry/validation/internal_form.h"
#include "registry/validation/job_parts.h"
#include "registry/validation/name_table.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::size_t kMostRules = 20;
constexpr std::size_t kMostValues = 255;
constexpr std::size_t kMaxIndexesText = 64 * 1024;

// `Required value: valid values: ["A" "B"]`, or one of them.
bool require_valid(const Field& field, std::string_view supported) {
  std::string values;
  for (const char c : supported) values.append(c == ',' ? "\" \"" : std::string(1, c));
  return field.require("valid values: [\"" + values + "\"]") && field.one_of(supported);
}

void validate_values(const Field& codes) {
  const Field values = codes["values"];
  if (values.empty()) {
    values.invalid_as("[]", "at least one value is required");
  } else if (values.size() > kMostValues) {
    values.too_many(kMostValues);
  }
  bool ordered = true;
  for (const Field value : values.items()) {
    if (value.number() == 0 && codes["operator"].is("In")) {
      value.invalid("must not be 0 for the In operator");
    }
    bool repeated = false;
    for (std::uint32_t i = 0; i < value.index() && i <= kMostValues; ++i) {
      repeated = repeated || values.item(i).number() == value.number();
    }
    if (repeated) value.duplicate();
    if (value.index() > 0 && values.item(value.index() - 1).number() > value.number()) {
      ordered = false;
    }
  }
  if (!ordered) values.invalid("must be ordered");
}

void validate_codes(const Field& codes, const NameTable& containers) {
  require_valid(codes["operator"], "In,NotIn");
  const Field name = codes["containerName"];
  if (name.present() && !containers.has(name.text())) {
    name.invalid("must be one of the container or initContainer names in the pod template");
  }
  validate_values(codes);
}

void validate_conditions(const Field& conditions) {
  if (conditions.size() > kMostRules) conditions.too_many(kMostRules);
  for (const Field condition : conditions.items()) {
    condition["type"].format(qualified_name_faults);
    require_valid(condition["status"], "False,True,Unknown");
  }
}

// `Invalid value`, of none in particular.
void invalid_rule(const Field& rule, std::string_view why) {
  rule.errors().push_back(
      {"FieldValueInvalid", rule.path().text(), "Invalid value: " + std::string(why)});
}

void validate_failure_rule(const Field& rule, const Field& spec, const NameTable& containers) {
  const Field action = rule["action"];
  const Field codes = rule["onExitCodes"];
  const Field conditions = rule["onPodConditions"];
  if (action.is("FailIndex")) {
    if (!spec.has("backoffLimitPerIndex")) {
      action.invalid("requires the backoffLimitPerIndex to be set");
    }
  } else {
    require_valid(action, "Count,FailIndex,FailJob,Ignore");
  }
  if (codes.present()) validate_codes(codes, containers);
  validate_conditions(conditions);
  if (codes.present() && !conditions.empty()) {
    invalid_rule(rule, "specifying both OnExitCodes and OnPodConditions is not supported");
  } else if (!codes.present() && conditions.empty()) {
    invalid_rule(rule, "specifying one of OnExitCodes and OnPodConditions is required");
  }
}

void validate_failure_policy(const Field& spec) {
  const Field policy = spec["podFailurePolicy"];
  const Field rules = policy["rules"];
  if (rules.size() > kMostRules) rules.too_many(kMostRules);
  NameTable containers;
  const Field tmpl = spec["template"];
  const Field pod = tmpl["spec"];
  for (const std::string_view name : {"containers", "initContainers"}) {
    const Field list = pod[name];
    for (const Field container : list.items()) containers.add(container.text_at("name"));
  }
  for (const Field rule : rules.items()) validate_failure_rule(rule, spec, containers);
}

void validate_success_rule(const Field& rule, std::int64_t completions) {
  const Field count = rule["succeededCount"];
  const Field list = rule["succeededIndexes"];
  if (!count.present() && !list.present()) {
    rule.required("at least one of succeededCount or succeededIndexes must be specified");
  }
  Indexes indexes;
  if (list.present()) {
    if (list.text().size() > kMaxIndexesText) list.too_long(kMaxIndexesText);
    indexes = read_indexes(list.text(), completions);
    if (!indexes.error.empty()) list.invalid("error parsing succeededIndexes: " + indexes.error);
  }
  if (!count.present()) return;
  count.non_negative();
  const auto refuse = [&](std::int64_t most, std::string_view what) {
    count.invalid("must be less than or equal to " + std::to_string(most) + " (the number of " +
                  std::string(what) + ")");
  };
  if (count.number() > completions) refuse(completions, "specified completions");
  if (list.present() && count.number() > indexes.count) {
    refuse(indexes.count, "indexes in the specified succeededIndexes field");
  }
}

void validate_success_policy(const Field& spec) {
  const Field policy = spec["successPolicy"];
  if (!policy.present()) return;
  if (!is_indexed(spec)) {
    policy.invalid_as(printed_struct(policy, "batch.v1.SuccessPolicy"),
                      "requires indexed completion mode");
    return;
  }
  const Field rules = policy["rules"];
  if (rules.empty()) {
    rules.required("at least one rules must be specified when the successPolicy is specified");
  }
  if (rules.size() > kMostRules) rules.too_many(kMostRules);
  for (const Field rule : rules.items()) {
    validate_success_rule(rule, spec.number_at("completions"));
  }
}

}  // namespace

void validate_job_policies(const Field& spec) {
  const bool fails = spec.has("podFailurePolicy");
  if (fails) validate_failure_policy(spec);
  validate_success_policy(spec);
  spec["podReplacementPolicy"].one_of_or_absent(fails ? "Failed" : "Failed,TerminatingOrFailed");
}

}  // namespace tabernetes::registry::validation
