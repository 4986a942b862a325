#include "controllers/batch/cron_jobs.h"

#include <algorithm>

#include "base/algorithm/sort.h"
#include "base/go/text.h"
#include "base/time/rfc3339.h"
#include "base/time/time_zone.h"
#include "controllers/batch/cron_job_schedule.h"
#include "controllers/batch/job_conditions.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kCronSource = "cronjob-controller";
constexpr std::string_view kScheduledTimestamp = "batch.kubernetes.io/cronjob-scheduled-timestamp";
constexpr Duration kCronRetry = Duration::from_seconds(1);

// Returns a time as Go prints it in a zone: "2026-11-23T06:03:00+01:00".
std::string zoned_text(Time time, std::string_view zone) {
  const std::int64_t offset = time_zone_offset(zone, time.unix_seconds()).value_or(0);
  std::string text = format_rfc3339(time + Duration::from_seconds(offset));
  if (offset == 0) return text;
  const std::int64_t minutes = (offset < 0 ? -offset : offset) / 60;
  const auto two = [](std::int64_t number) {
    return std::string(number < 10 ? "0" : "") + std::to_string(number);
  };
  text.pop_back();
  return text + (offset < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60);
}

// Returns "Mon, 23 Nov 2026 05:03:00 +0000".
std::string rfc1123_text(Time time) {
  constexpr std::string_view kDays = "ThuFriSatSunMonTueWed";
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const std::string iso = format_rfc3339(time);
  const std::int64_t day = time.unix_seconds() / 86400 % 7;
  const std::size_t month = static_cast<std::size_t>((iso[5] - '0') * 10 + (iso[6] - '1'));
  return std::string(kDays.substr(static_cast<std::size_t>(day) * 3, 3)) + ", " + iso.substr(8, 2) +
         " " + std::string(kMonths.substr(month * 3, 3)) + " " + iso.substr(0, 4) + " " +
         iso.substr(11, 8) + " +0000";
}

// One look at a cron job. Its object's status is changed in place and written at the end.
class CronJobSync {
 public:
  CronJobSync(const ReconcileContext& cluster, const Value& cron_job)
      : cluster_(cluster),
        arena_(cluster.arena),
        ref_(ref_of(cluster, kCronJobs, cron_job)),
        cron_job_(cron_job),
        status_(object_or_new(cron_job_, "status", cluster.arena)) {
    for (const Value& job : list(cluster, kJobs, ref_.ns)) {
      const Value* owner = controller_of(job);
      if (owner != nullptr && owner->string_at("name") == ref_.name) jobs_.push_back(job);
    }
  }

  // Returns when to look again.
  std::optional<Time> run() {
    const Value before = status_.clone(arena_);
    remove_old("Complete", "successfulJobsHistoryLimit");
    remove_old("Failed", "failedJobsHistoryLimit");
    see_jobs();
    see_missing_jobs();
    const std::optional<Time> next = is_terminating(cron_job_) ? std::nullopt : start_due();
    if (!json::deep_equal(before, status_)) {
      (void)update_status(cluster_, ref_,
                          [&](Value& object) { object.set(arena_, "status", status_); });
    }
    return next;
  }

 private:
  void tell(std::string_view type, std::string_view reason, const std::string& message) {
    record_event(cluster_, ref_, {kCronSource, type, reason, message});
  }

  json::Range<Value> active() const { return items_in(status_, "active"); }
  bool is_active(std::string_view uid) const {
    return std::any_of(active().begin(), active().end(),
                       [&](const Value& job) { return job.string_at("uid") == uid; });
  }
  void drop_active(std::string_view uid) {
    Value left = Value::array(arena_);
    for (const Value& job : active()) {
      if (job.string_at("uid") != uid) left.push_back(arena_, job);
    }
    status_.erase("active");
    if (left.size() > 0) status_.set(arena_, "active", left);
  }

  bool delete_job(const Value& job) {
    const auto deleted = delete_object(cluster_, ref_of(cluster_, kJobs, job), {},
                                       registry::Propagation::kBackground);
    if (!deleted) {
      tell("Warning", "FailedDelete", "Deleted job: " + deleted.error().message);
      return false;
    }
    drop_active(uid_of(job));
    tell("Normal", "SuccessfulDelete", "Deleted job " + std::string(name_of(job)));
    return true;
  }

  // Removes the oldest finished jobs beyond a limit of the spec.
  void remove_old(std::string_view condition, std::string_view limit) {
    if (!has(cron_job_, {"spec", limit})) return;
    std::vector<Value> finished;
    for (const Value& job : jobs_) {
      if (finished_condition(job) == condition) finished.push_back(job);
    }
    const auto most = static_cast<std::size_t>(number_at(cron_job_, {"spec", limit}));
    if (finished.size() <= most) return;
    sort_stable(finished, [](const Value& a, const Value& b) {
      const auto started = time_at(a, {"status", "startTime"});
      const auto other = time_at(b, {"status", "startTime"});
      if (started.has_value() != other.has_value()) return started.has_value();
      if (started != other) return *started < *other;
      return name_of(a) < name_of(b);
    });
    finished.resize(finished.size() - most);
    for (const Value& job : finished) (void)delete_job(job);
  }

  // Takes finished jobs off the active ones, and tells of those that nobody knows.
  void see_jobs() {
    for (const Value& job : jobs_) {
      const std::string_view condition = finished_condition(job);
      const bool known = is_active(uid_of(job));
      if (condition.empty()) {
        if (known) continue;
        tell(
            "Warning", "UnexpectedJob",
            "Saw a job that the controller did not create or forgot: " + std::string(name_of(job)));
        continue;
      }
      if (known) {
        drop_active(uid_of(job));
        tell("Normal", "SawCompletedJob",
             "Saw completed job: " + std::string(name_of(job)) +
                 ", condition: " + std::string(condition));
      }
      if (condition == "Complete") note_success(job);
    }
  }

  void note_success(const Value& job) {
    const auto completed = time_at(job, {"status", "completionTime"});
    const auto last = time_at(status_, {"lastSuccessfulTime"});
    if (!completed || (last && *completed <= *last)) return;
    status_.set(arena_, "lastSuccessfulTime", time_value(*completed, arena_));
  }

  void see_missing_jobs() {
    std::vector<Value> listed(active().begin(), active().end());
    for (const Value& job : listed) {
      const std::string_view uid = job.string_at("uid");
      if (std::any_of(jobs_.begin(), jobs_.end(),
                      [&](const Value& present) { return uid_of(present) == uid; }) ||
          !get(cluster_, kJobs, job.string_at("namespace"), job.string_at("name")).is_null()) {
        continue;
      }
      tell("Normal", "MissingJob",
           "Active job went missing: " + std::string(job.string_at("name")));
      drop_active(uid);
    }
  }

  // Starts the job whose time has come. Returns when to look again.
  std::optional<Time> start_due() {
    const std::string_view zone = text_at(cron_job_, {"spec", "timeZone"});
    const std::string zone_fault = time_zone_fault(zone);
    if (!zone_fault.empty()) {
      tell("Warning", "UnknownTimeZone", "invalid timeZone: " + go_quote(zone) + ": " + zone_fault);
      return std::nullopt;
    }
    if (bool_at(cron_job_, {"spec", "suspend"})) return std::nullopt;
    const std::string text(text_at(cron_job_, {"spec", "schedule"}));
    if (text.find("TZ") != std::string::npos) {
      tell("Warning", "UnsupportedSchedule",
           "CRON_TZ or TZ used in schedule " + go_quote(text) +
               " is not officially supported, see "
               "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more "
               "details");
    }
    std::string error;
    const auto schedule = CronJobSchedule::read(cron_job_, error);
    if (!schedule) {
      tell("Warning", "UnparseableSchedule",
           "unparseable schedule: " + go_quote(text) + " : " + error);
      return std::nullopt;
    }
    const CronJobSchedule::Due due = schedule->due(cron_job_, cluster_.now);
    if (!due.error.empty()) {
      tell("Warning", "InvalidSchedule", "invalid schedule: " + text + " : " + due.error);
      return std::nullopt;
    }
    if (due.time) {
      if (due.too_many) {
        tell("Warning", "TooManyMissedTimes",
             "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check "
             "clock skew");
      }
      if (may_start(*due.time) && !start(*due.time)) return cluster_.now + kCronRetry;
    }
    return schedule->next(cron_job_, cluster_.now);
  }

  bool may_start(Time time) {
    if (has(cron_job_, {"spec", "startingDeadlineSeconds"})) {
      const std::int64_t seconds = number_at(cron_job_, {"spec", "startingDeadlineSeconds"});
      if ((cluster_.now - time).nanoseconds / 1'000'000'000 >= seconds &&
          Duration::from_seconds(seconds) < cluster_.now - time) {
        tell("Warning", "MissSchedule",
             "Missed scheduled time to start a job: " + rfc1123_text(time));
        return false;
      }
    }
    const auto last = time_at(status_, {"lastScheduleTime"});
    const std::string name = job_name(time);
    const bool known = std::any_of(active().begin(), active().end(),
                                   [&](const Value& job) { return job.string_at("name") == name; });
    if (known || (last && *last == time)) return false;
    if (text_at(cron_job_, {"spec", "concurrencyPolicy"}) != "Forbid" || active().empty()) {
      return true;
    }
    tell("Normal", "JobAlreadyActive",
         "Not starting job because prior execution is running and concurrency policy is Forbid");
    return false;
  }

  std::string job_name(Time time) const {
    return std::string(ref_.name) + "-" + std::to_string(time.unix_seconds() / 60);
  }

  // Returns false if it is to be tried again.
  bool start(Time time) {
    if (text_at(cron_job_, {"spec", "concurrencyPolicy"}) == "Replace") {
      const std::vector<Value> running(active().begin(), active().end());
      for (const Value& entry : running) {
        const Value job = get(cluster_, kJobs, ref_.ns, entry.string_at("name"));
        if (!job.is_null() && !delete_job(job)) return false;
      }
    }
    const std::string name = job_name(time);
    const Value existing = get(cluster_, kJobs, ref_.ns, name);
    if (existing.is_null()) {
      const auto created = create(cluster_, kJobs, ref_.ns, job_of(name, time));
      if (!created) {
        tell("Warning", "FailedCreate", "Error creating job: " + created.error().message);
        return false;
      }
      tell("Normal", "SuccessfulCreate", "Created job " + name);
    } else {
      const Value* owner = controller_of(existing);
      if (owner == nullptr || owner->string_at("uid") != uid_of(cron_job_)) return true;
    }
    note_start(get(cluster_, kJobs, ref_.ns, name), time);
    return true;
  }

  void note_start(const Value& job, Time time) {
    Value list = Value::array(arena_);
    for (const Value& entry : active()) list.push_back(arena_, entry);
    list.push_back(arena_,
                   object_of({{"kind", Value::string("Job")},
                              {"namespace", Value::string(ref_.ns)},
                              {"name", Value::string(name_of(job))},
                              {"uid", Value::string(uid_of(job))},
                              {"apiVersion", Value::string("batch/v1")},
                              {"resourceVersion",
                               Value::string(text_at(job, {"metadata", "resourceVersion"}))}},
                             arena_));
    status_.set(arena_, "active", list);
    status_.set(arena_, "lastScheduleTime", time_value(time, arena_));
  }

  Value job_of(const std::string& name, Time time) const {
    Value metadata = Value::object(arena_);
    metadata.append(arena_, "name", text_value(name, arena_));
    const Value* template_meta = cron_job_.at({"spec", "jobTemplate", "metadata"});
    for (const std::string_view map : {"labels", "annotations"}) {
      const Value* given = template_meta == nullptr ? nullptr : template_meta->find(map);
      Value copy = given == nullptr ? Value::object(arena_) : given->clone(arena_);
      if (map == "annotations") {
        const std::string_view zone = text_at(cron_job_, {"spec", "timeZone"});
        copy.set(arena_, kScheduledTimestamp, text_value(zoned_text(time, zone), arena_));
      }
      if (copy.size() > 0) metadata.append(arena_, map, copy);
    }
    Value owners = Value::array(arena_);
    owners.push_back(arena_, controller_ref_to(kCronJobs, "CronJob", cron_job_, arena_));
    metadata.append(arena_, "ownerReferences", owners);
    return object_of({{"metadata", metadata},
                      {"spec", cron_job_.at({"spec", "jobTemplate", "spec"})->clone(arena_)}},
                     arena_);
  }

  const ReconcileContext& cluster_;
  json::Arena& arena_;
  registry::ObjectRef ref_;
  Value cron_job_;
  Value& status_;
  std::vector<Value> jobs_;
};

}  // namespace

void CronJobs::on_change(const registry::Registry&, const WatchEvent& change) {
  if (is(change.type, kCronJobs)) {
    if (change.now != nullptr) queue_.add(queue_key(change.ns, change.name), change.due());
  } else if (is(change.type, kJobs)) {
    for (const LazyObject* job : {&change.object_before, &change.object_now}) {
      if (job->record() == nullptr) continue;
      const Value* owner = controller_of(job->get());
      if (owner != nullptr && owner->string_at("kind") == "CronJob") {
        queue_.add(queue_key(change.ns, owner->string_at("name")), change.due());
      }
    }
  }
}

void CronJobs::reconcile(const ReconcileContext& cluster, const std::string& key) {
  const auto [ns, name] = split_queue_key(key);
  const Value cron_job = get(cluster, kCronJobs, ns, name);
  if (cron_job.is_null()) return;
  if (const auto next = CronJobSync(cluster, cron_job).run())
    queue_.add(key, *next, Recurrence::kPeriodic);
}

}  // namespace tabernetes::controllers
