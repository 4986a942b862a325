#include "controllers/informers/pod_summary.h"

#include <algorithm>
#include <charconv>

#include "base/time/rfc3339.h"
#include "controllers/informers/controlling_owner.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

std::optional<Time> summary_time(std::string_view text) {
  return text.empty() ? std::nullopt : parse_rfc3339(text);
}

PodPhase read_phase(std::string_view text) {
  if (text == "Running") return PodPhase::kRunning;
  if (text == "Succeeded") return PodPhase::kSucceeded;
  if (text == "Failed") return PodPhase::kFailed;
  return text == "Unknown" ? PodPhase::kUnknown : PodPhase::kPending;
}

// Returns the cost that an annotation has; 0 if it is no number, or has a sign or zeros too many.
std::int32_t read_deletion_cost(const Value& metadata) {
  const std::string_view text =
      text_at(metadata, {"annotations", "controller.kubernetes.io/pod-deletion-cost"});
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (text.empty() || (digits.starts_with('0') && text != "0")) return 0;
  std::int32_t cost = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cost);
  return error == std::errc() && end == text.data() + text.size() ? cost : 0;
}

// Returns the node that the pod's affinity requires by its name; empty if there is none.
std::string_view read_target_node(const Value& pod) {
  const Value* required = pod.at(
      {"spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"});
  if (required == nullptr) return {};
  for (const Value& term : items_in(*required, "nodeSelectorTerms")) {
    for (const Value& field : items_in(term, "matchFields")) {
      if (field.string_at("key") != "metadata.name" || field.string_at("operator") != "In")
        continue;
      const json::Range<Value> names = items_in(field, "values");
      return names.size() == 1 ? text_of(names[0]) : std::string_view();
    }
  }
  return {};
}

std::int32_t most_restarts(const Value& pod) {
  std::int64_t most = 0;
  for (const Value& status : items_at(pod, {"status", "containerStatuses"})) {
    most = std::max(most, number_at(status, {"restartCount"}));
  }
  return static_cast<std::int32_t>(most);
}

std::int32_t most_sidecar_restarts(const Value& pod) {
  std::int64_t most = 0;
  for (const Value& status : items_at(pod, {"status", "initContainerStatuses"})) {
    const std::int64_t count = number_at(status, {"restartCount"});
    if (count <= most) continue;
    for (const Value& container : items_at(pod, {"spec", "initContainers"})) {
      if (container.string_at("name") == status.string_at("name") &&
          container.string_at("restartPolicy") == "Always") {
        most = count;
      }
    }
  }
  return static_cast<std::int32_t>(most);
}

void set_identity(PodSummary& summary, const Value& metadata, const PodSummary* like) {
  const std::string_view uid = metadata.string_at("uid");
  if (like != nullptr && like->uid == uid) {
    summary.identity = like->identity;
  } else {
    summary.identity = std::make_shared<const PodIdentity>(
        PodIdentity{std::string(metadata.string_at("namespace")),
                    std::string(metadata.string_at("name")), std::string(uid)});
  }
  summary.ns = summary.identity->ns;
  summary.name = summary.identity->name;
  summary.uid = summary.identity->uid;
}

void set_controller(PodSummary& summary, const Value& pod, const PodSummary* like) {
  const Value* owner = controller_of(pod);
  if (owner == nullptr) return;
  const std::string_view kind = owner->string_at("kind"), name = owner->string_at("name"),
                         uid = owner->string_at("uid");
  if (like != nullptr && like->controller != nullptr && like->controller_uid == uid &&
      like->controller_name == name && like->controller_kind == kind) {
    summary.controller = like->controller;
  } else {
    summary.controller = std::make_shared<const PodController>(
        PodController{std::string(kind), std::string(name), std::string(uid)});
  }
  summary.controller_kind = summary.controller->kind;
  summary.controller_name = summary.controller->name;
  summary.controller_uid = summary.controller->uid;
}

void set_labels(PodSummary& summary, const PodSummary* like) {
  if (!summary.record) return;
  const std::string_view labels = registry::labels_of(*summary.record);
  summary.labels = like != nullptr && like->labels != nullptr && *like->labels == labels
                       ? like->labels
                       : std::make_shared<const std::string>(labels);
}

}  // namespace

bool has_claim_volumes(const Value& pod) {
  const json::Range<Value> volumes = items_at(pod, {"spec", "volumes"});
  return std::any_of(volumes.begin(), volumes.end(), [](const Value& volume) {
    return volume.find("persistentVolumeClaim") != nullptr || volume.find("ephemeral") != nullptr;
  });
}

bool PodSummary::available(std::int64_t min_ready_seconds, Time now) const {
  if (!ready) return false;
  return min_ready_seconds == 0 ||
         (ready_since && *ready_since + Duration::from_seconds(min_ready_seconds) <= now);
}

std::optional<Time> PodSummary::next_availability(std::int64_t min_ready_seconds, Time now) const {
  if (!ready || !ready_since || min_ready_seconds <= 0) return std::nullopt;
  const Time next = *ready_since + Duration::from_seconds(min_ready_seconds);
  return next > now ? std::optional(next) : std::nullopt;
}

PodSummary summarize_pod(const Value& pod, store::RecordPtr record, const PodSummary* like) {
  PodSummary summary;
  summary.record = std::move(record);
  const Value& metadata = *pod.find("metadata");
  set_identity(summary, metadata, like);
  set_controller(summary, pod, like);
  set_labels(summary, like);
  summary.deletion_timestamp = summary_time(metadata.string_at("deletionTimestamp"));
  summary.creation_timestamp = summary_time(metadata.string_at("creationTimestamp"));
  summary.deletion_cost = read_deletion_cost(metadata);
  summary.node = text_at(pod, {"spec", "nodeName"});
  if (summary.node.empty()) summary.target_node = read_target_node(pod);
  summary.uses_claims = has_claim_volumes(pod);
  summary.ip = text_at(pod, {"status", "podIP"});
  summary.phase = read_phase(text_at(pod, {"status", "phase"}));
  const Value* ready = registry::find_condition(pod, "Ready");
  summary.ready = ready != nullptr && ready->string_at("status") == "True";
  if (summary.ready) summary.ready_since = summary_time(ready->string_at("lastTransitionTime"));
  summary.restarts = most_restarts(pod);
  summary.sidecar_restarts = most_sidecar_restarts(pod);
  return summary;
}

}  // namespace tabernetes::controllers
