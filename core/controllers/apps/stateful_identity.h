// What belongs to an ordinal of a StatefulSet: the name of its pod, and its claims with their
// owners. Source: upstream 1.36 pkg/controller/statefulset: stateful_set_utils.go,
// stateful_pod_control.go.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "controllers/shared/controller_ref.h"
#include "json/access.h"

namespace tabernetes::controllers {

// A name such as "web-3": of the pod 3 of the set "web". The ordinal is -1 if it is none.
struct StatefulName {
  std::string_view parent;
  std::int64_t ordinal = -1;
};
StatefulName parse_stateful_name(std::string_view pod_name);

// The pod of an ordinal; uid and labels are empty before it exists.
struct StatefulPod {
  std::string name, uid;
  std::int64_t ordinal = 0;
};

// Returns a pod with the name, labels, host name and volumes that belong to the ordinal.
json::Value stateful_pod(const Owner& set, const json::Value& pod_template, std::int64_t ordinal,
                         std::string_view revision, json::Arena& arena);

// The ordinals that a set has.
std::int64_t start_ordinal(const Owner& set);
bool in_ordinal_range(const Owner& set, std::int64_t ordinal);

// The claims of a StatefulSet's pods.
class StatefulClaims {
 public:
  StatefulClaims(const ReconcileContext& cluster, const Owner& set)
      : cluster_(cluster), set_(set) {}

  // Creates the pod's claims that do not exist, and tells it. Errors: those of the registry; if a
  // claim is being deleted.
  Result<void> create_missing(const StatefulPod& pod) const;
  // Returns true if the owners of the pod's claims are those that the retention policy asks for.
  bool match_retention_policy(const StatefulPod& pod) const;
  // Makes them so. Errors: those of the registry.
  Result<void> apply_retention_policy(const StatefulPod& pod) const;
  // Returns true if a claim of a pod to be created still belongs to one of the same name that is
  // gone, so that it will be deleted.
  bool is_stale(const StatefulPod& pod) const;

 private:
  // What the policy says about one claim of a pod.
  struct Wanted {
    bool by_set = false, by_pod = false;
  };
  Wanted wanted_owners(const StatefulPod& pod) const;
  json::Value read_claim(const json::Value& claim_template, const StatefulPod& pod) const;
  bool has_unexpected_controller(const json::Value& claim, const StatefulPod& pod) const;
  bool is_up_to_date(const json::Value& claim, const StatefulPod& pod) const;
  Result<void> set_owners(json::Value claim, const StatefulPod& pod) const;
  void tell_claim(const StatefulPod& pod, std::string_view claim, const ApiStatus* error) const;

  const ReconcileContext& cluster_;
  const Owner& set_;
};

}  // namespace tabernetes::controllers
