// Checks writes to the status of a job: counts do not decrease, and terminal conditions remain.
// Most checks apply only to changed fields. Source: upstream 1.36
// pkg/apis/batch/validation/validation.go, validateJobStatus, ValidateJobStatusUpdate;
// pkg/registry/batch/job/strategy.go, getStatusValidationOptions.
#include "kinds/batch/job_status.h"

#include <string>

#include "kinds/batch/job_indexes.h"
#include "kinds/batch/job_spec.h"
#include "rules/internal_form.h"
#include "rules/name_table.h"

namespace tabernetes::registry::kinds {
namespace {

// The true conditions of a job, and facts derived from them.
struct Conditions {
  explicit Conditions(const Field& status) {
    const Field list = status["conditions"];
    for (const Field condition : list.items()) {
      const std::string_view type = condition.text_at("type");
      const bool is_true = condition["status"].is("True");
      if (type == "Suspended") {
        suspended = suspended || is_true;
        resumed = resumed || condition["status"].is("False");
      }
      if (!is_true) continue;
      if (type == "Complete") complete = true;
      if (type == "Failed") failed = true;
      if (type == "FailureTarget") failing = true;
      if (type == "SuccessCriteriaMet") succeeding = true;
    }
  }
  bool finished() const { return complete || failed; }

  bool complete = false, failed = false, failing = false, succeeding = false;
  bool suspended = false, resumed = false;
};

class JobStatus {
 public:
  JobStatus(const Field& spec, const Field& status, const Field& old)
      : spec_(spec), status_(status), old_(old), now_(status), before_(old) {}

  void validate() const {
    validate_counts();
    validate_uncounted();
    if (changed_end()) validate_one_end();
    validate_times();
    if (now_.failed != before_.failed || changed("failedIndexes")) {
      refuse(now_.failed && !now_.failing,
             "cannot set Failed=True condition without the FailureTarget=true condition");
    }
    if (now_.complete != before_.complete || now_.succeeding != before_.succeeding) {
      refuse(now_.complete && !now_.succeeding,
             "cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
    }
    validate_finished();
    validate_indexes();
    validate_rest();
    validate_successes();
    validate_changes();
  }

 private:
  bool changed(std::string_view name) const { return !status_[name].same(old_[name]); }
  bool changed_end() const {
    return now_.complete != before_.complete || now_.failed != before_.failed ||
           now_.failing != before_.failing;
  }

  // Reports an error of all conditions together.
  void refuse(bool wrong, std::string_view why) const {
    if (!wrong) return;
    status_.errors().push_back({"FieldValueInvalid", status_["conditions"].path().text(),
                                "Invalid value: " + std::string(why)});
  }

  void validate_counts() const {
    for (const std::string_view name : {"active", "succeeded", "failed", "ready", "terminating"}) {
      status_[name].non_negative();
    }
  }

  void validate_uncounted() const {
    const Field pods = status_["uncountedTerminatedPods"];
    NameTable seen;
    for (const std::string_view name : {"succeeded", "failed"}) {
      const Field list = pods[name];
      for (const Field uid : list.items()) {
        if (uid.text().empty()) {
          uid.invalid("must not be empty");
        } else if (!seen.add(uid.text())) {
          uid.duplicate();
        }
      }
    }
  }

  void validate_one_end() const {
    const bool complete = now_.complete != before_.complete;
    if (complete || now_.failed != before_.failed) {
      refuse(now_.complete && now_.failed, "cannot set Complete=True and Failed=true conditions");
    }
    if (complete || now_.failing != before_.failing) {
      refuse(now_.complete && now_.failing,
             "cannot set Complete=True and FailureTarget=true conditions");
    }
  }

  void validate_times() const {
    const Field start = status_["startTime"];
    const Field end = status_["completionTime"];
    if (now_.complete != before_.complete || changed("completionTime")) {
      if (end.present() && !now_.complete) {
        end.invalid("cannot set completionTime when there is no Complete=True condition");
      } else if (!end.present() && now_.complete) {
        end.required("completionTime is required for Complete jobs");
      }
    }
    // Both have the same format, so texts sort by time.
    if ((changed("startTime") || changed("completionTime")) && start.present() && end.present() &&
        end.text() < start.text()) {
      end.invalid("must be equal to or after `startTime`");
    }
  }

  void validate_finished() const {
    const bool turned = now_.finished() != before_.finished();
    const bool finished = now_.finished();
    const Field active = status_["active"];
    if ((turned || changed("active")) && finished && active.number() > 0) {
      active.invalid("active>0 is invalid for finished job");
    }
    const Field completions = spec_["completions"];
    const bool idle = spec_["suspend"].flag() && completions.present() && completions.number() == 0;
    if ((turned || changed("startTime")) && !idle && finished && !status_.has("startTime")) {
      status_["startTime"].required("startTime is required for finished job");
    }
    const Field pods = status_["uncountedTerminatedPods"];
    if ((turned || changed("uncountedTerminatedPods")) && finished &&
        !(pods["failed"].empty() && pods["succeeded"].empty())) {
      pods.invalid_printed(print_internal(pods, "batch.v1.UncountedTerminatedPods"),
                           "must be empty for finished job");
    }
  }

  void validate_indexes() const {
    const Field completed = status_["completedIndexes"];
    const Field failed = status_["failedIndexes"];
    const bool counted = spec_.has("completions");
    const std::int64_t completions = spec_.number_at("completions");
    const bool has_limit = spec_.has("backoffLimitPerIndex");
    const auto check_format = [&](const Field& list) {
      const Indexes indexes = read_indexes(list.text(), completions);
      if (indexes.error.empty()) return;
      list.invalid("error parsing " + std::string(list.name()) + ": " + indexes.error);
    };
    if (changed("completedIndexes") && counted) check_format(completed);
    if (changed("failedIndexes") && counted && has_limit && failed.present()) check_format(failed);
    if (changed("completedIndexes") && !completed.text().empty() && !is_indexed(spec_)) {
      completed.invalid("cannot set non-empty completedIndexes when non-indexed completion mode");
    }
    if (changed("failedIndexes") && !has_limit && failed.present()) {
      failed.invalid("cannot set non-null failedIndexes when backoffLimitPerIndex is null");
    }
    if ((changed("failedIndexes") || changed("completedIndexes")) && counted) {
      const std::string overlap = overlap_of(completed.text(), failed.text(), completions);
      if (!overlap.empty()) failed.invalid(overlap);
    }
  }

  void validate_rest() const {
    const Field terminating = status_["terminating"];
    if ((now_.finished() != before_.finished() || changed("terminating")) && now_.finished() &&
        terminating.number() > 0) {
      terminating.invalid("terminating>0 is invalid for finished job");
    }
    const Field ready = status_["ready"];
    if ((changed("ready") || changed("active")) && ready.present() &&
        ready.number() > status_.number_at("active")) {
      ready.invalid("cannot set more ready pods than active");
    }
  }

  void validate_successes() const {
    refuse(now_.succeeding && now_.failed,
           "cannot set SuccessCriteriaMet=True and Failed=true conditions");
    refuse(now_.succeeding && now_.failing,
           "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
    refuse(spec_.has("successPolicy") && !now_.succeeding && now_.complete,
           "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
  }

  void validate_changes() const {
    refuse(before_.failed && !now_.failed, "cannot disable the terminal Failed=True condition");
    refuse(before_.complete && !now_.complete,
           "cannot disable the terminal Complete=True condition");
    refuse(before_.failing && !now_.failing,
           "cannot disable the terminal FailureTarget=True condition");
    validate_not_less("failed");
    // Indexed jobs may be scaled down.
    if (!is_indexed(spec_) || !spec_["completions"].same(spec_["parallelism"])) {
      validate_not_less("succeeded");
    }
    const Field end = status_["completionTime"];
    if (end.present() && old_.has("completionTime") && changed("completionTime")) {
      end.invalid(field::kImmutable);
    }
    const Field start = status_["startTime"];
    const bool resuming = before_.suspended && now_.resumed;
    if (changed("startTime") && !resuming && old_.has("startTime") && !spec_["suspend"].flag()) {
      start.invalid_printed(start.present() ? start.printed() : "null",
                            "field is immutable for unsuspended job once set");
    }
    refuse(before_.succeeding && !now_.succeeding,
           "cannot disable the SuccessCriteriaMet=True condition");
    refuse(before_.complete && !before_.succeeding && now_.succeeding,
           "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
  }

  void validate_not_less(std::string_view name) const {
    const Field count = status_[name];
    if (count.number() >= old_.number_at(name)) return;
    count.invalid_printed(std::to_string(count.number()),
                          "cannot decrease the " + std::string(name) + " counter");
  }

  const Field& spec_;
  const Field& status_;
  const Field& old_;
  const Conditions now_, before_;
};

}  // namespace

void validate_job_status(const Field& job, const Field& old) {
  const Field spec = job["spec"];
  const Field status = job["status"];
  const Field before = old["status"];
  JobStatus(spec, status, before).validate();
}

}  // namespace tabernetes::registry::kinds
