// Specs of jobs, also in cron jobs. Source: upstream 1.36
// pkg/apis/batch/validation/validation.go, pkg/api/job/warnings.go.
#include "kinds/batch/job_spec.h"

#include <string>

#include "json/access.h"
#include "kinds/batch/job_indexes.h"
#include "kinds/pod_template/warnings.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kJobSpecRules, R"(
parallelism,completions,activeDeadlineSeconds,backoffLimit,ttlSecondsAfterFinished,backoffLimitPerIndex,maxFailedIndexes min:0
?+maxFailedIndexes ?-backoffLimitPerIndex
 backoffLimitPerIndex need "when maxFailedIndexes is specified"
managedBy given required is:prefixed-path maxlen:63
completionMode given enum:NonIndexed,Indexed
?completionMode=Indexed
 completions present "when completion mode is Indexed"
 parallelism le:100000 "must be less than or equal to 100000 when completion mode is Indexed"
 ?+completions
  maxFailedIndexes le:.completions "must be less than or equal to completions"
 maxFailedIndexes le:100000 "must be less than or equal to 100000"
 ?completions>100000 ?+backoffLimitPerIndex
  maxFailedIndexes present "must be specified when completions is above 100000"
  parallelism le:10000 "must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index"
  maxFailedIndexes le:10000 "must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index"
else ?-completionMode
 &not-indexed
else ?completionMode=NonIndexed
 &not-indexed
podFailurePolicy given
 rules max:20
 rules[]
  ?action=FailIndex
   ?-..backoffLimitPerIndex
    action bad "requires the backoffLimitPerIndex to be set"
  else
   action required |valid values: ["Count" "FailIndex" "FailJob" "Ignore"]| enum:Count,FailIndex,FailJob,Ignore
  onExitCodes given
   operator required |valid values: ["In" "NotIn"]| enum:In,NotIn
   containerName given among:....template.spec.containers[].name,....template.spec.initContainers[].name "must be one of the container or initContainer names in the pod template"
   @exit-values
  onPodConditions max!:20
  onPodConditions[]
   type is:qualified
   status required |valid values: ["False" "True" "Unknown"]| enum:False,True,Unknown
  @one-condition
?+successPolicy ?completionMode!=Indexed
 successPolicy bad=#batch.v1.SuccessPolicy "requires indexed completion mode"
else ?+successPolicy
 successPolicy.rules required "at least one rules must be specified when the successPolicy is specified"
 successPolicy.rules max:20
 successPolicy.rules[] @success-rule
?+podFailurePolicy
 podReplacementPolicy given enum:Failed
else
 podReplacementPolicy given enum:Failed,TerminatingOrFailed
template @pod-template
template.spec.restartPolicy
 ?=Always
  . need |valid values: "OnFailure", "Never"|
 else
  . required |valid values: "OnFailure", "Never"| enum:OnFailure,Never
  ?=OnFailure ?+...podFailurePolicy
   . bad |only "Never" is supported when podFailurePolicy is specified|
)");

TAB_RULES(kNotIndexedRules, R"(
backoffLimitPerIndex,maxFailedIndexes given bad "requires indexed completion mode"
)");

namespace {

constexpr std::size_t kMostValues = 255;
constexpr std::size_t kMaxIndexesText = 64 * 1024;

void exit_values(const Place& place) {
  const Field& codes = place.now;
  const Field values = codes["values"];
  if (values.empty()) {
    values.invalid_printed("[]", "at least one value is required");
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

// Adds an `Invalid value` error without a value.
void invalid_rule(const Field& rule, std::string_view why) {
  rule.errors().push_back(
      {"FieldValueInvalid", rule.path().text(), "Invalid value: " + std::string(why)});
}

void one_condition(const Place& place) {
  const Field& rule = place.now;
  const bool codes = rule.has("onExitCodes");
  const bool conditions = !rule["onPodConditions"].empty();
  if (codes && conditions) {
    invalid_rule(rule, "specifying both OnExitCodes and OnPodConditions is not supported");
  } else if (!codes && !conditions) {
    invalid_rule(rule, "specifying one of OnExitCodes and OnPodConditions is required");
  }
}

void success_rule(const Place& place) {
  const Field& rule = place.now;
  const std::int64_t completions = place.around->around->around->now.number_at("completions");
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

}  // namespace

bool is_indexed(const Field& spec) { return spec["completionMode"].is("Indexed"); }

void warn_of_job_spec(const Field& spec, Warnings& out) {
  if (spec.text_at("completionMode") == "Indexed" && spec.number_at("completions") > 100'000 &&
      spec.number_at("parallelism") > 10'000) {
    out.at(spec, {"In Indexed Jobs with a number of completions higher than 10^5 and a parallelism "
                  "higher than 10^4, Kubernetes might not be able to track completedIndexes when a "
                  "big number of indexes fail"});
  }
  warn_of_pod_at(spec["template"], true, out);
}

extern const NamedCheck kJobSpecChecks[] = {
    {"exit-values", &exit_values},
    {"one-condition", &one_condition},
    {"success-rule", &success_rule},
};

}  // namespace tabernetes::registry::kinds
