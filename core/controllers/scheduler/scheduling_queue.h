// The pods that wait for a node. Source: upstream 1.36 pkg/scheduler/backend/queue.
//
// A pod is active (to be tried now, by priority and then by age), backing off (it failed, and
// something changed that may help), or unschedulable (it failed, and nothing has changed). Pods
// that back off are also tried as soon as there is no active one, like upstream's.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "controllers/scheduler/pod_info.h"
#include "controllers/scheduler/verdict.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers::scheduling {

struct QueuedPod {
  PodPtr pod;
  Plugins refused_by;  // at the last attempt
  int refusals = 0;    // attempts that plugins refused
  int errors = 0;      // attempts in a row that failed otherwise
  Time since;          // when it was queued, or failed last
  bool held = false;   // not to be tried before its claims exist
};

class SchedulingQueue {
 public:
  // Adds a new pod, which is tried at `due`. Pods with scheduling gates wait for a change, and
  // those that are `held`.
  void add(const PodPtr& pod, Time now, Time due, bool held = false);
  // Returns the pod, or null.
  const QueuedPod* find(const std::string& key) const;
  // Replaces what is known of a pod that waits.
  void update(const PodPtr& pod);
  void remove(const std::string& key);

  // Takes the pod that is to be tried next, among those due.
  std::optional<QueuedPod> pop(Time now, Time due);
  // Puts back a pod that failed: it waits for a change or, if it `retries`, for its back-off only.
  void add_unschedulable(QueuedPod pod, Time now, bool retries);
  // Lets pods that wait for a change back off or be tried again at `due`, if `worth` says so.
  void move(Time now, Time due, const std::function<bool(const QueuedPod&)>& worth);
  // The same for one pod.
  void move_one(const std::string& key, Time now, Time due);

  std::optional<Time> next() const;
  // Returns the same without the retries of unschedulable pods, which come again by themselves.
  std::optional<Time> next_once() const;
  bool has_unschedulable() const { return !unschedulable_.empty(); }
  void clear();

 private:
  enum class Place { kActive, kBackoff, kUnschedulable };
  struct Entry {
    QueuedPod queued;
    Place place = Place::kActive;
    Time due;  // active, backing off: when it may be tried; unschedulable: when it is moved anyway
    Time backoff;  // when the back-off ends
    std::uint64_t number = 0;
  };
  struct Rank {
    Time backoff;  // zero for active ones
    std::int64_t priority = 0;
    Time since;
    std::uint64_t number = 0;
    bool operator<(const Rank& other) const;
  };
  using Entries = std::unordered_map<std::string, Entry>;

  static Rank rank_of(const Entry& entry);
  void put(const std::string& key, Entry& entry, Place place, Time due);
  void take_out(const std::string& key, const Entry& entry);
  void requeue(const std::string& key, Entry& entry, Time now, Time due);
  void wake(Time now, Time due);
  static Time backoff_end(const QueuedPod& pod);

  Entries entries_;
  std::map<Rank, std::string> active_, backoff_;
  std::set<std::pair<Time, std::string>> unschedulable_;  // by due
  std::set<std::pair<Time, std::string>> dues_;           // of active pods and those backing off
  std::uint64_t added_ = 0;
};

}  // namespace tabernetes::controllers::scheduling
