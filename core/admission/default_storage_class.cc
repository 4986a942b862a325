// DefaultStorageClass: sets the default class of a claim without one. Source: upstream 1.36
// plugin/pkg/admission/storage/storageclass/setdefault.

#include "admission/default_class.h"
#include "admission/plugins.h"
#include "json/fill.h"
#include "registry/kind/write_context.h"

namespace tabernetes::admission {

using json::Value;

Result<void> set_storage_class(const AdmissionRequest& request, PluginState&) {
  json::Arena& arena = request.context.arena;
  Value& spec = object_or_new(request.object, "spec", arena);
  const Value* annotated =
      request.object.at({"metadata", "annotations", "volume.beta.kubernetes.io/storage-class"});
  if (spec.find("storageClassName") != nullptr || annotated != nullptr) return {};
  const std::string_view name = default_class(request, {"storage.k8s.io", "v1", "storageclasses"},
                                              {"storageclass.kubernetes.io/is-default-class",
                                               "storageclass.beta.kubernetes.io/is-default-class"});
  if (!name.empty()) spec.set(arena, "storageClassName", Value::string(name));
  return {};
}

}  // namespace tabernetes::admission
