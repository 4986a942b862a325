// Each reconciliation makes at most one write, whose change triggers the next one.
#include "controllers/api/custom_definitions.h"

#include <algorithm>

#include "controllers/api/custom_names.h"
#include "custom/definition/custom_definition.h"
#include "custom/definition/definition_approval.h"
#include "custom/definition/definitions.h"
#include "custom/objects/ca_bundle.h"
#include "custom/objects/custom_kind.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers {
namespace {

using json::Value;
using registry::condition_is_true;

constexpr std::string_view kEstablished = "Established";
constexpr std::string_view kNamesAccepted = "NamesAccepted";
constexpr std::string_view kTerminating = "Terminating";
// How long the deletion of all objects may take before it is started again.
constexpr Duration kPatience = Duration::from_seconds(60);
constexpr std::string_view kWriter = "kube-apiserver";
constexpr std::string_view kNamesGood = "the initial names have been accepted";

registry::ObjectRef reference(const ReconcileContext& cluster, std::string_view name) {
  return {
      cluster.registry.resources().find("apiextensions.k8s.io", "v1", "customresourcedefinitions"),
      {},
      name};
}

// A definition being reconciled.
class Definition {
 public:
  Definition(const ReconcileContext& cluster, std::string_view name)
      : cluster_(cluster), ref_(reference(cluster, name)), object_(cluster.read(ref_)) {}

  // Takes the next step, if there is one. Returns true if objects of the definition are being
  // deleted and some remain.
  bool bring_on() {
    if (object_.is_null()) return false;
    if (object_.at({"metadata", "deletionTimestamp"}) != nullptr) return terminate();
    if (give_names()) return false;
    const registry::Condition established = wanted_established();
    if (condition_is_true(object_, kNamesAccepted) && !condition_is_true(object_, kEstablished) &&
        !has(established)) {
      set(established);
    } else {
      tell_of_approval();
    }
    return false;
  }

  void give_up_waiting() {
    set({kTerminating, "True", "InstanceDeletionCheck",
         "could not confirm zero CustomResources remaining: context deadline exceeded"});
  }

 private:
  template <typename Mutate>
  void write(registry::Subresource subresource, const Mutate& mutate) {
    registry::WriteContext context =
        cluster_.context(subresource == registry::Subresource::kStatus ? "status" : "");
    context.manager = kWriter;
    (void)cluster_.registry.update(context, ref_, subresource,
                                   [&](const Value* stored) -> Result<Value> {
                                     Value object = stored->clone(cluster_.arena);
                                     mutate(object);
                                     return object;
                                   });
  }

  void put(Value& object, const registry::Condition& condition) {
    registry::set_condition(object_or_new(object, "status", cluster_.arena), condition,
                            cluster_.now, cluster_.arena);
  }
  void set(const registry::Condition& condition) {
    write(registry::Subresource::kStatus, [&](Value& object) { put(object, condition); });
  }

  bool has(const registry::Condition& condition) const {
    const Value* known = registry::find_condition(object_, condition.type);
    return known != nullptr && known->string_at("status") == condition.status &&
           known->string_at("reason") == condition.reason &&
           known->string_at("message") == condition.message;
  }

  registry::Condition wanted_established() const {
    const Value* client = object_.at({"spec", "conversion", "webhook", "clientConfig"});
    if (client != nullptr &&
        !registry::custom::ca_bundle_fault(client->string_at("caBundle")).empty()) {
      return {kEstablished, "False", "InvalidCABundle",
              "The conversion webhook CABundle is invalid"};
    }
    return {kEstablished, "True", "InitialNamesAccepted", kNamesGood};
  }

  // Updates the accepted names; returns false if they are up to date.
  bool give_names() {
    const AcceptedNames accepted =
        accept_names(object_, cluster_.registry.resources().defined(), cluster_.arena);
    const bool good = accepted.reason.empty();
    const registry::Condition names = {
        kNamesAccepted, good ? "True" : "False",
        good ? std::string_view("NoConflicts") : accepted.reason,
        good ? std::string_view("no conflicts found") : std::string_view(accepted.message)};
    const bool established = condition_is_true(object_, kEstablished);
    registry::Condition serving = {kEstablished, "False", "NotAccepted",
                                   "not all names are accepted"};
    if (good) serving = {kEstablished, "False", "Installing", kNamesGood};
    const bool told_before =
        established || (!good && registry::find_condition(object_, kEstablished) != nullptr);
    const Value* own = object_.at({"status", "acceptedNames"});
    if (own != nullptr && json::deep_equal(*own, accepted.names) && has(names)) return false;
    write(registry::Subresource::kStatus, [&](Value& object) {
      object.find("status")->set(cluster_.arena, "acceptedNames", accepted.names);
      put(object, names);
      if (!told_before) put(object, serving);
    });
    return true;
  }

  // Reports the approval that kinds of community-owned groups need.
  void tell_of_approval() {
    if (!registry::custom::is_community_group(text_at(object_, {"spec", "group"}))) return;
    constexpr std::string_view kType = "KubernetesAPIApprovalPolicyConformant";
    const std::string approval(
        text_at(object_, {"metadata", "annotations", registry::custom::kApprovalAnnotation}));
    const bool refused =
        registry::custom::parse_api_approval(approval) == registry::custom::ApiApproval::kBypassed;
    const std::string message =
        refused ? "not approved: \"" + approval + "\"" : "approved in " + approval;
    const registry::Condition condition = {kType, refused ? "False" : "True",
                                           refused ? "UnapprovedAnnotation" : "ApprovedAnnotation",
                                           message};
    if (!approval.empty() && !has(condition)) set(condition);
  }

  bool terminate() {
    if (!registry::kinds::definition_holds_deletion(object_)) return false;
    const registry::Condition in_progress = {kTerminating, "True", "InstanceDeletionInProgress",
                                             "CustomResource deletion is in progress"};
    if (!has(in_progress)) {
      set(in_progress);
      return false;
    }
    if (!delete_instances()) return true;
    write(registry::Subresource::kNone, [&](Value& object) {
      Value& metadata = *object.find("metadata");
      Value kept = Value::array(cluster_.arena);
      for (const Value& finalizer : metadata.find("finalizers")->items()) {
        if (finalizer.as_string() != registry::kinds::kCleanupFinalizer) {
          kept.push_back(cluster_.arena, finalizer);
        }
      }
      metadata.set(cluster_.arena, "finalizers", kept);
    });
    return false;
  }

  // Deletes the objects; returns true if none is left.
  bool delete_instances() {
    const auto& kinds = cluster_.registry.resources().defined();
    const auto known = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const auto& kind) { return kind->name() == ref_.name; });
    if (known == kinds.end() || !(*known)->established()) return true;
    const auto kind = std::shared_ptr(*known);  // keeps the kind alive during the deletion
    const registry::ResourceType& type = kind->storage_type();
    const std::string& prefix = type.key_prefix;
    const std::string end = store::prefix_end(prefix);
    std::vector<std::string> keys;
    cluster_.registry.store().tree().scan(prefix, end,
                                          [&](std::string_view key, const store::RecordPtr&) {
                                            keys.emplace_back(key);
                                            return true;
                                          });
    for (const std::string& key : keys) {
      const auto [ns, name] = registry::split_key(type, key);
      json::Arena arena;
      (void)cluster_.registry.remove(cluster_.context_in(arena),
                                     cluster_.in_storage_version({&type, ns, name}), {});
    }
    return cluster_.registry.store().tree().count(prefix, end) == 0;
  }

  const ReconcileContext& cluster_;
  const registry::ObjectRef ref_;
  const Value object_;
};

}  // namespace

void CustomDefinitions::on_change(const registry::Registry& registry, const WatchEvent& change) {
  if (const registry::custom::CustomVersion* version = registry::custom::version_of(change.type)) {
    // The last object of a kind that goes may have been waited for.
    const registry::custom::CustomKind& kind = *version->kind;
    if (change.now == nullptr && kind.terminating()) queue_.add(kind.name(), change.due());
    return;
  }
  if (!registry::custom::is_definition(change.type)) return;
  if (change.now != nullptr) queue_.add(change.name, change.due());
  // Other definitions may want names that this one has released.
  const std::string_view group =
      change.name.substr(std::min(change.name.find('.'), change.name.size()));
  for (const auto& defined : registry.resources().defined()) {
    const registry::custom::CustomKind& kind = registry::custom::custom_kind(*defined);
    const bool waits = !kind.names_accepted() && kind.name() != change.name;
    if (waits && kind.name().ends_with(group)) queue_.add(kind.name(), change.due());
  }
}

void CustomDefinitions::reconcile(const ReconcileContext& cluster, const std::string& name) {
  Definition definition(cluster, name);
  if (!definition.bring_on()) {
    retry_after_.erase(name);
    return;
  }
  const auto until = retry_after_.try_emplace(name, cluster.now + kPatience).first;
  if (cluster.now < until->second) {
    queue_.add(name, until->second);
  } else {
    retry_after_.erase(until);
    definition.give_up_waiting();
  }
}

}  // namespace tabernetes::controllers
