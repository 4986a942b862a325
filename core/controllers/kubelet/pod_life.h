// The life of a pod on its node, as far as it has come at a time.
//
// A kubelet remembers nothing of a pod: what has happened to it is in its status. Times in a status
// are whole seconds, so a kubelet that looks between two of its appointments may be ahead of them
// by less than a second.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers/entropy.h"
#include "controllers/kubelet/behaviour_rules.h"
#include "controllers/kubelet/node.h"
#include "controllers/loop/work_queue.h"
#include "json/value.h"
#include "registry/kind/strategy.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers::kubelet {

// What a kubelet reports about a pod.
struct PodEvent {
  std::string_view type, reason;
  std::string message;
  std::string field_path;  // of the container; empty: about the pod
};

// What surrounds a pod.
struct Surroundings {
  const registry::ObjectReader& objects;
  const BehaviourRules& rules;
  std::string_view node_name;
  Node& node;
  Entropy& entropy;
  json::Arena& arena;
  Time now;
  Time due;  // what is due by then happens now
};

struct Appointment {
  Time time;
  Recurrence recurrence = Recurrence::kOnce;
};

struct PodProgress {
  json::Value status;          // the whole status
  bool changed = false;        // it differs from the pod's
  bool finished = false;       // a terminating pod is to be deleted
  bool lacks_objects = false;  // waits for a ConfigMap or Secret
  std::vector<PodEvent> events;
  std::optional<Appointment> next;
};

// Lets happen what has become due. REQUIRES: the pod is bound to the node.
PodProgress progress_of(const json::Value& pod, const Surroundings& around);

}  // namespace tabernetes::controllers::kubelet
