#include <algorithm>

#include "base/algorithm/sort.h"
#include "controllers/batch/job_conditions.h"
#include "controllers/batch/job_policies.h"
#include "controllers/batch/job_sync.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/objects.h"
#include "json/access.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

// How many pods are counted at most by one write of the status.
constexpr std::size_t kMostUncounted = 500;
constexpr Duration kAfterDeletion = Duration::from_milliseconds(50);

}  // namespace

bool JobSync::is_known(std::string_view list, std::string_view uid) const {
  const json::Range<Value> known = items_at(status_, {"uncountedTerminatedPods", list});
  return std::any_of(known.begin(), known.end(),
                     [&](const Value& item) { return item.as_string() == uid; });
}

void JobSync::add_uncounted(std::string_view list, std::string_view uid) {
  Value& uncounted = *status_.find("uncountedTerminatedPods");
  Value uids = Value::array(arena_);
  for (const Value& known : items_in(uncounted, list)) uids.push_back(arena_, known);
  uids.push_back(arena_, text_value(uid, arena_));
  uncounted.set(arena_, list, uids);
}

bool JobSync::set_condition(std::string_view type, std::string_view status, std::string_view reason,
                            std::string_view message) {
  const Value time = time_value(cluster_.now, arena_);
  const Value condition = object_of({{"type", Value::string(type)},
                                     {"status", Value::string(status)},
                                     {"lastProbeTime", time},
                                     {"lastTransitionTime", time},
                                     {"reason", text_value(reason, arena_)},
                                     {"message", text_value(message, arena_)}},
                                    arena_);
  for (Value& known : items_in(status_, "conditions")) {
    if (known.string_at("type") != type) continue;
    if (known.string_at("status") == status && known.string_at("reason") == reason &&
        known.string_at("message") == message) {
      return false;
    }
    known = condition;
    return true;
  }
  if (status == "False") return false;
  Value conditions = Value::array(arena_);
  for (const Value& known : items_in(status_, "conditions")) conditions.push_back(arena_, known);
  conditions.push_back(arena_, condition);
  status_.set(arena_, "conditions", conditions);
  return true;
}

void JobSync::append_condition(const Finish& finish) {
  (void)set_condition(finish.type, "True", finish.reason, finish.message);
}

Result<void> JobSync::write_status() {
  auto written = controllers::update_status(cluster_, owner_.ref(), [&](Value& object) {
    object.set(arena_, "status", status_.clone(arena_));
  });
  if (!written) return std::move(written).failure();
  return {};
}

void JobSync::tell(std::string_view type, std::string_view reason, std::string_view message) {
  record_event(cluster_, owner_.type, owner_.object, {kJobSource, type, reason, message});
}

bool JobSync::may_untrack(const JobPod& pod) const {
  if (owner_.terminating() || finish_ || pod.summary->phase == PodPhase::kSucceeded) return true;
  if (!pod.is_failed) return false;
  const auto waiting = to_replace_.find(pod.index);
  return waiting == to_replace_.end() || waiting->second->summary != pod.summary;
}

void JobSync::note_end(const JobPod& pod, std::vector<int>& new_indexes) {
  const std::string uid(pod.summary->uid);
  const bool known_failed = is_known("failed", uid);
  const bool has_index = pod.index != kNoIndex && pod.index < completions_of(job_);
  if (pod.summary->phase == PodPhase::kSucceeded && !known_failed) {
    if (is_indexed(job_)) {
      if (!has_index || known_succeeded_.has(pod.index)) return;
      new_indexes.push_back(pod.index);
      return;
    }
    if (is_known("succeeded", uid)) return;
    add_uncounted("succeeded", uid);
    return;
  }
  // Pods that were deleted because the Job has succeeded have not failed.
  if (condition_is(status_, "SuccessCriteriaMet") && pod.summary->phase != PodPhase::kFailed)
    return;
  const bool failing = finish_ && finish_->type != "SuccessCriteriaMet";
  if (!pod.is_failed && !failing) return;
  if (known_failed || (is_indexed(job_) && !has_index)) return;
  if (!judge_failure(job_, pod.object).is_counted) return;
  add_uncounted("failed", uid);
}

void JobSync::note_indexes(const std::vector<int>& new_indexes) {
  for (const int index : new_indexes) succeeded_indexes_.add(index);
  const std::string completed = succeeded_indexes_.to_string();
  if (completed.empty()) {
    status_.erase("completedIndexes");
  } else {
    status_.set(arena_, "completedIndexes", text_value(completed, arena_));
  }
  set_count(status_, "succeeded", succeeded_indexes_.total(), arena_);
  if (!has_backoff_per_index(job_)) return;
  status_.set(arena_, "failedIndexes", text_value(failed_indexes_.to_string(), arena_));
}

// Counts pods of uncountedTerminatedPods that no longer have the finalizer. Returns whether there
// were any.
bool JobSync::count_untracked() {
  bool counted = false;
  Value& uncounted = *status_.find("uncountedTerminatedPods");
  for (const std::string_view list : {"succeeded", "failed"}) {
    Value left = Value::array(arena_);
    std::int64_t done = 0;
    for (const Value& uid : items_in(uncounted, list)) {
      if (tracked_.contains(uid.as_string())) {
        left.push_back(arena_, uid);
      } else {
        ++done;
      }
    }
    if (done == 0) continue;
    counted = true;
    set_count(status_, list, number_at(status_, {list}) + done, arena_);
    uncounted.erase(list);
    if (left.size() > 0) uncounted.set(arena_, list, left);
  }
  return counted;
}

Result<void> JobSync::untrack(const JobPod& pod) {
  if (!pod.is_tracked) return {};
  auto updated = controllers::update(
      cluster_, {&type_of(cluster_.registry, kPods), pod.summary->ns, pod.summary->name},
      [&](Value& object) {
        Value& metadata = *object.find("metadata");
        Value left = Value::array(arena_);
        for (const Value& finalizer : items_in(metadata, "finalizers")) {
          if (finalizer.as_string() != kJobTracking) left.push_back(arena_, finalizer);
        }
        metadata.erase("finalizers");
        if (left.size() > 0) metadata.set(arena_, "finalizers", left);
      });
  if (!updated && updated.error().code != 404) return std::move(updated).failure();
  return {};
}

// Counts the pods that ended, in the order that survives a restart at any point: first their uids
// are written, then they lose the finalizer, then they are counted.
Result<void> JobSync::track() {
  for (const JobPod& pod : pods_) {
    if (pod.is_tracked) tracked_.emplace(pod.summary->uid, true);
  }
  if (is_indexed(job_)) {
    sort_stable(pods_, [](const JobPod& a, const JobPod& b) { return a.index < b.index; });
  }
  (void)count_untracked();
  bool full = false;
  std::vector<const JobPod*> ended;
  std::vector<int> new_indexes;
  for (const JobPod& pod : pods_) {
    if (!pod.is_tracked || !may_untrack(pod)) continue;
    ended.push_back(&pod);
    note_end(pod, new_indexes);
    const std::size_t uncounted =
        items_at(status_, {"uncountedTerminatedPods", "succeeded"}).size() +
        items_at(status_, {"uncountedTerminatedPods", "failed"}).size() + new_indexes.size();
    full = uncounted >= kMostUncounted;
    if (full) break;
  }
  if (is_indexed(job_)) note_indexes(new_indexes);
  if (finish_ && finish_->type == "FailureTarget") {
    append_condition(*finish_);
    finish_->type = "Failed";
  } else if (finish_ && finish_->type == "SuccessCriteriaMet") {
    if (!condition_is(status_, "SuccessCriteriaMet")) append_condition(*finish_);
    finish_->type = "Complete";
  }
  TAB_CHECK(write_status());
  backoff_ = new_backoff_;
  if (deleted_) {
    // The nodes hear of the deletion first.
    look_again(cluster_.now + kAfterDeletion);
    return {};
  }

  Result<void> untracked;
  for (const JobPod* pod : ended) {
    auto done = untrack(*pod);
    if (done) {
      tracked_.erase(std::string(pod->summary->uid));
    } else if (untracked) {
      untracked = std::move(done);
    }
  }
  const bool counted = count_untracked();
  if (!untracked) {
    if (counted) TAB_CHECK(write_status());
    return untracked;
  }
  const bool finished = !full && finish_if_counted();
  if (!counted && !finished) return {};
  TAB_CHECK(write_status());
  if (finished) tell_finish();
  return {};
}

bool JobSync::finish_if_counted() {
  if (!finish_ || terminating_ > 0) return false;
  for (const std::string_view list : {"succeeded", "failed"}) {
    if (!items_at(status_, {"uncountedTerminatedPods", list}).empty()) return false;
  }
  append_condition(*finish_);
  if (finish_->type == "Complete") {
    status_.set(arena_, "completionTime", time_value(cluster_.now, arena_));
  }
  return true;
}

void JobSync::tell_finish() {
  if (finish_->type != "Complete") {
    tell("Warning", finish_->reason, finish_->message);
    return;
  }
  if (has(job_, {"spec", "completions"}) &&
      number_at(status_, {"succeeded"}) > completions_of(job_)) {
    tell("Warning", "TooManySucceededPods",
         "Too many succeeded pods running after completion count reached");
  }
  tell("Normal", "Completed", "Job completed");
}

}  // namespace tabernetes::controllers
