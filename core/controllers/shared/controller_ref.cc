#include "controllers/shared/controller_ref.h"

#include "json/access.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

// An object that may be claimed.
struct Claimable {
  registry::ObjectRef ref;
  std::string_view uid;
  std::string_view controller_uid;  // empty: an orphan
  bool terminating = false;
  bool wanted = false;
};

Result<bool> claim(const ReconcileContext& cluster, const Owner& owner, const Claimable& object) {
  if (!object.controller_uid.empty()) {
    if (object.controller_uid != owner.uid()) return false;
    if (object.wanted) return true;
    if (!owner.terminating()) TAB_CHECK(release(cluster, owner, object.ref, object.uid));
    return false;
  }
  if (owner.terminating() || !object.wanted || object.terminating || !may_adopt(cluster, owner)) {
    return false;
  }
  auto adopted = adopt(cluster, owner, object.ref, object.uid);
  if (adopted) return true;
  if (adopted.error().code == 404) return false;
  return std::move(adopted).failure();
}

// Replaces the object's ownerReferences by what `change` makes of them.
Result<void> patch_owners(const ReconcileContext& cluster, const registry::ObjectRef& ref,
                          std::string_view uid,
                          const std::function<void(Value& metadata)>& change) {
  auto written = cluster.registry.update(
      cluster.context(), ref, registry::Subresource::kNone,
      [&](const Value* stored) -> Result<Value> {
        if (stored == nullptr) return errors::not_found(ref.type->group_resource(), ref.name);
        Value object = stored->clone(cluster.arena);
        Value& metadata = *object.find("metadata");
        if (metadata.string_at("uid") != uid) {
          return errors::conflict(ref.type->group_resource(), ref.name,
                                  "the UID in the precondition is not that of the object");
        }
        change(metadata);
        return object;
      });
  if (!written) return std::move(written).failure();
  return {};
}

}  // namespace

Value new_controller_ref(const Owner& owner, json::Arena& arena) {
  Value reference = Value::object(arena);
  reference.append(arena, "apiVersion", Value::string(owner.type.api_version));
  reference.append(arena, "kind", Value::string(owner.type.resource->kind));
  reference.append(arena, "name", Value::string(owner.name()));
  reference.append(arena, "uid", Value::string(owner.uid()));
  reference.append(arena, "controller", Value::boolean(true));
  reference.append(arena, "blockOwnerDeletion", Value::boolean(true));
  return reference;
}

bool may_adopt(const ReconcileContext& cluster, const Owner& owner) {
  const Value fresh = cluster.read(owner.ref());
  return !fresh.is_null() && text_at(fresh, {"metadata", "uid"}) == owner.uid() &&
         !has(fresh, {"metadata", "deletionTimestamp"});
}

Result<void> adopt(const ReconcileContext& cluster, const Owner& owner,
                   const registry::ObjectRef& orphan, std::string_view uid) {
  return patch_owners(cluster, orphan, uid, [&](Value& metadata) {
    Value* owners = metadata.find("ownerReferences");
    if (owners == nullptr) {
      metadata.set(cluster.arena, "ownerReferences", Value::array(cluster.arena));
      owners = metadata.find("ownerReferences");
    }
    owners->push_back(cluster.arena, new_controller_ref(owner, cluster.arena));
  });
}

Result<void> release(const ReconcileContext& cluster, const Owner& owner,
                     const registry::ObjectRef& dependent, std::string_view uid) {
  auto released = patch_owners(cluster, dependent, uid, [&](Value& metadata) {
    Value kept = Value::array(cluster.arena);
    for (const Value& reference : items_in(metadata, "ownerReferences")) {
      if (reference.string_at("uid") != owner.uid()) kept.push_back(cluster.arena, reference);
    }
    if (kept.size() > 0) {
      metadata.set(cluster.arena, "ownerReferences", kept);
    } else {
      metadata.erase("ownerReferences");
    }
  });
  if (!released && (released.error().code == 404 || released.error().code == 422)) return {};
  return released;
}

Result<Informers::Pods> claim_pods(const ReconcileContext& cluster, const Owner& owner,
                                   const Informers::Pods& pods,
                                   const std::function<bool(const PodSummary&)>& wanted) {
  const registry::ResourceType& type = *cluster.registry.resources().find("", "v1", "pods");
  Informers::Pods claimed;
  claimed.reserve(pods.size());
  for (const PodSummary* pod : pods) {
    TAB_TRY(const bool mine, claim(cluster, owner,
                                   {{&type, pod->ns, pod->name},
                                    pod->uid,
                                    pod->controller_uid,
                                    pod->deletion_timestamp.has_value(),
                                    wanted(*pod)}));
    if (mine) claimed.push_back(pod);
  }
  return claimed;
}

Result<std::vector<store::RecordPtr>> claim_objects(const ReconcileContext& cluster,
                                                    const Owner& owner,
                                                    const registry::ResourceType& type,
                                                    const registry::LabelSelector& selector) {
  std::vector<store::RecordPtr> claimed;
  const auto claim_all = [&](const std::vector<store::RecordPtr>& records,
                             std::string_view controller) -> Result<void> {
    for (const store::RecordPtr& record : records) {
      const auto [ns, name] = registry::split_key(type, record->key);
      const bool wanted = selector.matches_by(
          [&](std::string_view key) { return registry::label_of(*record, key); });
      if (!wanted && controller.empty()) continue;
      const Value object = registry::read_object(type, *record, cluster.arena);
      TAB_TRY(const bool mine, claim(cluster, owner,
                                     {{&type, ns, name},
                                      text_at(object, {"metadata", "uid"}),
                                      controller,
                                      registry::offsets_of(*record).terminating,
                                      wanted}));
      if (!mine) continue;
      // An adopted one has another version now.
      claimed.push_back(controller.empty() ? cluster.registry.store().get(record->key) : record);
    }
    return {};
  };
  TAB_CHECK(claim_all(cluster.informers.objects_of(owner.uid(), type), owner.uid()));
  TAB_CHECK(claim_all(cluster.informers.orphans(type, owner.ns()), {}));
  return claimed;
}

}  // namespace tabernetes::controllers
