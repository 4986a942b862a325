#include "controllers/kubelet/behaviour_rules.h"

#include <algorithm>

#include "base/api/quantity.h"
#include "controllers/kubelet/image_name.h"
#include "json/access.h"

namespace tabernetes::controllers::kubelet {
namespace {

using json::Value;

bool has_all(const Value& object, std::string_view member,
             const std::vector<std::pair<std::string, Wildcard>>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& entry) {
    const Value* value = object.at({"metadata", member, entry.first});
    return value != nullptr && value->is_string() &&
           matches_wildcard(entry.second, value->as_string());
  });
}

bool has_owner(const Value& pod, const Wildcard& kind, const Wildcard& name) {
  if (kind.empty() && name.empty()) return true;
  for (const Value& owner : items_at(pod, {"metadata", "ownerReferences"})) {
    if (matches_wildcard(kind, owner.string_at("kind")) &&
        matches_wildcard(name, owner.string_at("name"))) {
      return true;
    }
  }
  return false;
}

std::string unknown_image(std::string_view image) {
  const std::string name = full_image_name(image);
  return "rpc error: code = NotFound desc = failed to pull and unpack image \"" + name +
         "\": failed to resolve reference \"" + name + "\": " + name + ": not found";
}

constexpr std::string_view kNoProgram =
    "failed to create containerd task: failed to create shim task: OCI runtime create failed: "
    "runc create failed: unable to start container process: error during container init: exec: "
    "\"app\": executable file not found in $PATH";

template <typename T>
void fill(const std::optional<T>& given, bool& filled, T& out) {
  if (!given || filled) return;
  out = *given;
  filled = true;
}

// What earlier rules have said already.
struct Filled {
  bool pull = false, start = false, ready = false, exit = false, unhealthy = false, stop = false;
};

void apply_start(const Rule& rule, std::string_view image, Filled& filled,
                 ContainerBehaviour& out) {
  if (!filled.pull && rule.pull_error) {
    out.pull_error = rule.pull_error->empty() ? unknown_image(image) : *rule.pull_error;
  }
  fill(rule.pull, filled.pull, out.pull);
  filled.pull = filled.pull || rule.pull_error;
  if (!filled.start && rule.start_error) {
    out.start_error = rule.start_error->empty() ? std::string(kNoProgram) : *rule.start_error;
  }
  if (rule.start && !filled.start) out.opens_gates = rule.opens_gates;
  fill(rule.start, filled.start, out.start);
  filled.start = filled.start || rule.start_error;
}

void apply_rest(const Rule& rule, Filled& filled, ContainerBehaviour& out) {
  if (!filled.ready && (rule.ready || rule.never_ready || rule.flap_up)) {
    out.ready = rule.ready.value_or(Duration{});
    out.never_ready = rule.never_ready.value_or(false);
    out.flap_up = rule.flap_up.value_or(Duration{});
    out.flap_down = rule.flap_down.value_or(Duration{});
    filled.ready = true;
  }
  if (!filled.exit && (rule.exit || rule.runs_on)) {
    out.exit = rule.exit;
    out.runs_on = rule.runs_on;
    filled.exit = true;
  }
  if (!filled.unhealthy && rule.unhealthy) out.unhealthy = rule.unhealthy;
  filled.unhealthy = filled.unhealthy || rule.unhealthy;
  if (!filled.stop && rule.stop_code) out.stop_code = rule.stop_code;
  fill(rule.stop, filled.stop, out.stop);
  filled.stop = filled.stop || rule.stop_code;
}

// Returns true if the step can be one of the container.
bool concerns(const StageStep& step, const Value& pod, const Container& container) {
  using Kind = StageStep::Kind;
  const bool is_init = container.role == Role::kInit || container.role == Role::kSidecar;
  if ((step.kind == Kind::kInitStart || step.kind == Kind::kInitExit) && !is_init) return false;
  if (step.kind == Kind::kInitExit && container.role == Role::kSidecar) return false;
  if (step.kind == Kind::kExit && is_init) return false;
  return !step.container || text_of(step.container->find(pod)) == container.name;
}

// Returns the rule of a Stage with what the pod decides.
Rule resolved(const Rule& rule, const Value& pod) {
  Rule own = rule;
  const StageStep& step = *rule.step;
  const Duration after = step.delay_of(pod);
  if (own.start) own.start = after;
  if (own.stop) own.stop = after;
  if (own.exit) {
    own.exit->after = after;
    own.exit->code = step.exit_code.of(pod).value_or(own.exit->code);
  }
  return own;
}

// A tenth of what the container requests, and a little more.
UsagePoint usual_usage(const Value& spec) {
  UsagePoint usage{{}, 1'000'000, std::int64_t{16} << 20};
  std::string_view error;
  const auto cpu = Quantity::parse(text_at(spec, {"resources", "requests", "cpu"}), error);
  if (cpu && cpu->milli_value() > 0) usage.cpu = cpu->milli_value() * 100'000;
  const auto memory = Quantity::parse(text_at(spec, {"resources", "requests", "memory"}), error);
  if (memory && memory->value() > 0) usage.memory = memory->value() / 2;
  return usage;
}

UsagePoint usage_at(const std::vector<UsagePoint>& points, Duration ran) {
  if (ran < points.front().after) return points.front();
  for (std::size_t i = 1; i < points.size(); ++i) {
    const UsagePoint &from = points[i - 1], &to = points[i];
    if (!(ran < to.after)) continue;
    const double part =
        (ran.seconds() - from.after.seconds()) / (to.after.seconds() - from.after.seconds());
    const auto between = [&](std::int64_t a, std::int64_t b) {
      return a + static_cast<std::int64_t>(static_cast<double>(b - a) * part);
    };
    return {ran, between(from.cpu, to.cpu), between(from.memory, to.memory)};
  }
  return points.back();
}

}  // namespace

bool RuleMatch::of_pod(const Value& pod) const {
  return matches_wildcard(ns, text_at(pod, {"metadata", "namespace"})) &&
         matches_wildcard(name, text_at(pod, {"metadata", "name"})) &&
         matches_wildcard(node, text_at(pod, {"spec", "nodeName"})) &&
         has_all(pod, "labels", labels) && has_all(pod, "annotations", annotations) &&
         has_owner(pod, owner_kind, owner_name);
}

bool RuleMatch::of_container(const Value& spec) const {
  const std::string_view used = spec.string_at("image");
  return matches_wildcard(container, spec.string_at("name")) &&
         (matches_wildcard(image, used) || matches_wildcard(image, full_image_name(used)));
}

bool RuleMatch::speaks_of_pods() const {
  return !ns.empty() || !image.empty() || !container.empty() || !owner_kind.empty() ||
         !owner_name.empty();
}

bool RuleMatch::of_node(const Value& object) const {
  return !speaks_of_pods() && matches_wildcard(name, text_at(object, {"metadata", "name"})) &&
         matches_wildcard(node, text_at(object, {"metadata", "name"})) &&
         has_all(object, "labels", labels) && has_all(object, "annotations", annotations);
}

ContainerBehaviour BehaviourRules::behaviour_of(const Value& pod,
                                                const Container& container) const {
  ContainerBehaviour behaviour;
  Filled filled;
  for (const Rule& rule : rules_) {
    if (rule.node || !rule.match.of_pod(pod) || !rule.match.of_container(*container.spec)) continue;
    if (rule.step) {
      if (!is_taken(rule, pod, container)) continue;
      const Rule own = resolved(rule, pod);
      apply_start(own, container.spec->string_at("image"), filled, behaviour);
      apply_rest(own, filled, behaviour);
      continue;
    }
    apply_start(rule, container.spec->string_at("image"), filled, behaviour);
    apply_rest(rule, filled, behaviour);
    if (!rule.leaves_rest_open) break;
  }
  return behaviour;
}

bool BehaviourRules::is_taken(const Rule& rule, const Value& pod,
                              const Container& container) const {
  if (!concerns(*rule.step, pod, container)) return false;
  std::vector<const StageStep*> rivals;
  for (const Rule& other : rules_) {
    if (other.step && other.step->kind == rule.step->kind && other.match.of_pod(pod) &&
        other.match.of_container(*container.spec) && concerns(*other.step, pod, container)) {
      rivals.push_back(other.step.get());
    }
  }
  return choose_step(rivals, pod) == rule.step.get();
}

NodeState BehaviourRules::state_of_node(const Value& node) const {
  for (const Rule& rule : rules_) {
    if (rule.node && rule.match.of_node(node)) return *rule.node;
  }
  return NodeState::kReady;
}

UsagePoint BehaviourRules::usage_of(const Value& pod, const Container& container,
                                    Duration ran) const {
  for (const Rule& rule : rules_) {
    if (rule.node || !rule.match.of_pod(pod) || !rule.match.of_container(*container.spec)) continue;
    if (!rule.usage.empty()) return usage_at(rule.usage, ran);
    if (!rule.leaves_rest_open) break;
  }
  return usual_usage(*container.spec);
}

}  // namespace tabernetes::controllers::kubelet
