#include "controllers/scheduler/default_spread.h"

#include <algorithm>

#include "json/access.h"
#include "registry/selectors/selector_object.h"

namespace tabernetes::controllers::scheduling {
namespace {

using json::Value;

struct OwnerKind {
  std::string_view kind, group, plural;
};
constexpr OwnerKind kOwners[] = {{"ReplicaSet", "apps", "replicasets"},
                                 {"StatefulSet", "apps", "statefulsets"},
                                 {"ReplicationController", "", "replicationcontrollers"}};

// Adds what `text` requires to `all`.
void append(std::string& all, std::string_view text) {
  if (text.empty()) return;
  if (!all.empty()) all += ',';
  all += text;
}

}  // namespace

void DefaultSpread::set_service(std::string_view ns, std::string_view name, const Value* service) {
  const auto selector = service == nullptr ? json::Range<json::Member>(nullptr, 0)
                                           : json::members_at(*service, {"spec", "selector"});
  auto& known = services_[std::string(ns)];
  if (selector.empty()) {
    if (const auto found = known.find(name); found != known.end()) known.erase(found);
    return;
  }
  Pairs pairs;
  for (const json::Member& member : selector) {
    pairs.emplace_back(member.key, json::text_of(member.value));
  }
  known[std::string(name)] = std::move(pairs);
}

std::string DefaultSpread::services_selector(const PodInfo& pod) const {
  const auto found = services_.find(pod.ns);
  if (found == services_.end()) return {};
  std::map<std::string_view, std::string_view> merged;
  for (const auto& [name, pairs] : found->second) {
    const bool selects = std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
      return pod.labels.find(pair.first) == std::optional<std::string_view>(pair.second);
    });
    if (!selects) continue;
    for (const auto& [key, value] : pairs) merged[key] = value;
  }
  std::string text;
  for (const auto& [key, value] : merged) {
    append(text, std::string(key) + "=" + std::string(value));
  }
  return text;
}

std::string DefaultSpread::owner_selector(const ReconcileContext& cluster, const PodInfo& pod) {
  const std::size_t slash = pod.owner.find('/');
  if (slash == std::string::npos) return {};
  const std::string_view kind = std::string_view(pod.owner).substr(0, slash);
  const std::string_view name = std::string_view(pod.owner).substr(slash + 1);
  const auto* owner = std::find_if(std::begin(kOwners), std::end(kOwners),
                                   [&](const OwnerKind& one) { return one.kind == kind; });
  if (owner == std::end(kOwners)) return {};
  const registry::ResourceType* type =
      cluster.registry.resources().find(owner->group, "v1", owner->plural);
  if (type == nullptr || type->api_version != pod.owner_api_version) return {};
  const store::RecordPtr record = cluster.registry.store().get(type->key(pod.ns, name));
  if (record == nullptr) return {};
  if (owner_ == record->key && owner_revision_ == record->revision) return owner_text_;
  const Value object = registry::read_object(*type, *record, cluster.arena);
  const Value* selector = object.at({"spec", "selector"});
  owner_ = record->key;
  owner_revision_ = record->revision;
  owner_text_ = owner->group.empty()
                    ? registry::format_labels(selector)
                    : registry::format_label_selector(selector).value_or(std::string());
  return owner_text_;
}

const std::vector<SpreadConstraint>& DefaultSpread::of(const ReconcileContext& cluster,
                                                       const PodInfo& pod) {
  std::string text = services_selector(pod);
  append(text, owner_selector(cluster, pod));
  std::string id = pod.ns + "/" + text;
  if (id == selector_) return constraints_;
  selector_ = std::move(id);
  constraints_.clear();
  if (text.empty()) return constraints_;
  SpreadConstraint constraint;
  constraint.hard = false;
  constraint.pods = PodSelector::of_text(pod.ns, text);
  constraint.topology_key = "kubernetes.io/hostname";
  constraint.max_skew = 3;
  constraints_.push_back(constraint);
  constraint.topology_key = "topology.kubernetes.io/zone";
  constraint.max_skew = 5;
  constraints_.push_back(std::move(constraint));
  return constraints_;
}

}  // namespace tabernetes::controllers::scheduling
