// Whether a DaemonSet has a pod on a node. Source: upstream 1.36
// pkg/controller/daemon/daemon_controller.go (NodeShouldRunDaemonPod).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "json/value.h"
#include "registry/objects/object_record.h"

namespace tabernetes::controllers {

// What counts of a node. Immutable; shared by forks.
struct DaemonNode {
  struct Taint {
    std::string key, value, effect;
    friend bool operator==(const Taint&, const Taint&) = default;
  };
  store::RecordPtr record;
  std::string name;
  std::vector<Taint> taints;
};
using DaemonNodePtr = std::shared_ptr<const DaemonNode>;

DaemonNodePtr read_daemon_node(const json::Value& node, const store::RecordPtr& record);
// Returns true if nothing changed that decides about pods.
bool same_for_daemons(const DaemonNode& a, const DaemonNode& b);

struct DaemonFit {
  bool should_run = false;
  bool should_continue = false;  // a pod that is there stays
};
// `spec` is that of the pod template, with the tolerations of every daemon.
DaemonFit daemon_fit(const json::Value& spec, const DaemonNode& node);

// Adds the tolerations that every daemon has.
void add_daemon_tolerations(json::Value& spec, json::Arena& arena);
// Makes the pod's affinity require that node.
void require_node(json::Value& spec, std::string_view node, json::Arena& arena);

}  // namespace tabernetes::controllers
