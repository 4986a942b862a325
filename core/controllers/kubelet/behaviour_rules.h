// Which containers and nodes behave how: rules in order. docs/behaviour.md describes them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/wildcard.h"
#include "controllers/kubelet/behaviour.h"
#include "controllers/kubelet/containers.h"
#include "controllers/kubelet/node.h"
#include "controllers/kubelet/stage_step.h"
#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers::kubelet {

struct RuleMatch {
  Wildcard ns, name, image, container, node;
  Wildcard owner_kind, owner_name;
  std::vector<std::pair<std::string, Wildcard>> labels, annotations;

  bool of_pod(const json::Value& pod) const;
  bool of_container(const json::Value& spec) const;
  bool of_node(const json::Value& node) const;
  // Returns true if it speaks of pods, which nodes do not match.
  bool speaks_of_pods() const;
};

struct UsagePoint {
  Duration after;           // since the container's start
  std::int64_t cpu = 0;     // in billionths of a core
  std::int64_t memory = 0;  // in bytes
};

// What a rule says; what is not set stays as it is.
struct Rule {
  RuleMatch match;
  // Later rules say what this one leaves open: a KWOK Stage is about one step alone.
  bool leaves_rest_open = false;
  std::shared_ptr<const StageStep> step;  // of a Stage: what of it each pod decides

  std::optional<Duration> pull, start, ready, unhealthy, stop;
  std::optional<std::string> pull_error, start_error;  // empty: the usual text
  std::optional<bool> never_ready;
  bool opens_gates = false;  // with `start`
  std::optional<Duration> flap_up, flap_down;
  std::optional<ContainerBehaviour::Exit> exit;
  bool runs_on = false;
  std::optional<std::int64_t> stop_code;
  std::vector<UsagePoint> usage;  // by time; between two points it changes evenly
  std::optional<NodeState> node;
};

class BehaviourRules {
 public:
  BehaviourRules() = default;
  // `document`: the rules as they were given, a JSON list.
  BehaviourRules(std::vector<Rule> rules, std::string document)
      : rules_(std::move(rules)), document_(std::move(document)) {}

  // Returns how a container of the pod behaves.
  ContainerBehaviour behaviour_of(const json::Value& pod, const Container& container) const;
  NodeState state_of_node(const json::Value& node) const;
  // Returns what a container uses that has run for `ran`.
  UsagePoint usage_of(const json::Value& pod, const Container& container, Duration ran) const;

  const std::vector<Rule>& rules() const { return rules_; }
  const std::string& document() const { return document_; }

 private:
  // Returns true unless the rule is of a Stage that the container does not go through.
  bool is_taken(const Rule& rule, const json::Value& pod, const Container& container) const;

  std::vector<Rule> rules_;
  std::string document_ = "[]";
};

}  // namespace tabernetes::controllers::kubelet
