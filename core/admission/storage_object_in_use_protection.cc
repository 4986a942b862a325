// StorageObjectInUseProtection: adds the finalizers that protect objects in use. Source: upstream
// 1.36 plugin/pkg/admission/storage/storageobjectinuseprotection.

#include "admission/plugins.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/kind/resource_type.h"
#include "registry/kind/write_context.h"

namespace tabernetes::admission {
namespace {

using json::Value;

std::string_view finalizer_of(std::string_view plural) {
  if (plural == "persistentvolumes") return "kubernetes.io/pv-protection";
  if (plural == "persistentvolumeclaims") return "kubernetes.io/pvc-protection";
  return "kubernetes.io/vac-protection";
}

}  // namespace

Result<void> protect_in_use(const AdmissionRequest& request, PluginState&) {
  json::Arena& arena = request.context.arena;
  const std::string_view name = finalizer_of(request.type.resource->plural);
  Value& metadata = object_or_new(request.object, "metadata", arena);
  Value finalizers = Value::array(arena);
  for (const Value& finalizer : items_in(metadata, "finalizers")) {
    if (finalizer.as_string() == name) return {};
    finalizers.push_back(arena, finalizer);
  }
  finalizers.push_back(arena, Value::string(name));
  metadata.set(arena, "finalizers", finalizers);
  return {};
}

}  // namespace tabernetes::admission
