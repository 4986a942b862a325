#include "controllers/namespaces/namespace_basics.h"

#include "controllers/shared/root_certificate.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kDescription = "kubernetes.io/description";
constexpr std::string_view kDescriptionText =
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal "
    "endpoints such as the internal service IP or kubernetes.default.svc. No other usage is "
    "guaranteed across distributions of Kubernetes clusters.";

bool is_core(const registry::ResourceType& type, std::string_view plural) {
  return type.resource->group.empty() && type.resource->plural == plural;
}

}  // namespace

void NamespaceObject::on_change(const registry::Registry&, const WatchEvent& change) {
  if (is_core(change.type, "namespaces")) {
    if (change.now != nullptr && !registry::offsets_of(*change.now).terminating) {
      queue_.add(change.name, change.due());
    }
  } else if (change.name == name_ && change.before != nullptr && is_core(change.type, plural_)) {
    queue_.add(change.ns, change.due());
  }
}

void NamespaceObject::reconcile(const ReconcileContext& cluster, const std::string& ns) {
  const registry::ResourceTable& resources = cluster.registry.resources();
  const Value home = cluster.read({resources.find("", "v1", "namespaces"), {}, ns});
  const Value* phase = home.is_null() ? nullptr : home.at({"status", "phase"});
  if (phase == nullptr || phase->as_string() != "Active") return;

  const registry::ResourceType& type = *resources.find("", "v1", plural_);
  const registry::ObjectRef ref{&type, ns, name_};
  const Value present = cluster.read(ref);
  Value object = wanted(cluster, present);
  if (object.is_null()) return;
  object_or_new(object, "metadata", cluster.arena).set(cluster.arena, "name", Value::string(name_));
  if (present.is_null()) {
    (void)cluster.registry.create(cluster.context(), type, ns, object);
  } else {
    (void)cluster.registry.update(cluster.context(), ref, registry::Subresource::kNone,
                                  [&](const Value*) -> Result<Value> { return object; });
  }
}

Value ServiceAccounts::wanted(const ReconcileContext& cluster, const Value& present) const {
  return present.is_null() ? Value::object(cluster.arena) : Value();
}

Value RootCertificates::wanted(const ReconcileContext& cluster, const Value& present) const {
  json::Arena& arena = cluster.arena;
  const std::string_view certificate = root_certificate_of(cluster);
  const Value* data = present.is_null() ? nullptr : present.find("data");
  const Value* described =
      present.is_null() ? nullptr : present.at({"metadata", "annotations", kDescription});
  if (data != nullptr && data->size() == 1 && data->string_at("ca.crt") == certificate &&
      described != nullptr && !described->as_string().empty()) {
    return {};
  }
  Value object = present.is_null() ? Value::object(arena) : present;
  Value& metadata = object_or_new(object, "metadata", arena);
  object_or_new(metadata, "annotations", arena)
      .set(arena, kDescription, Value::string(kDescriptionText));
  object.set(arena, "data", Value::object(arena));
  object.find("data")->set(arena, "ca.crt", Value::string(certificate));
  return object;
}

}  // namespace tabernetes::controllers
