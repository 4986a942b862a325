// PersistentVolumeClaimResize: checks whether a claim may grow. Source: upstream 1.36
// plugin/pkg/admission/storage/persistentvolume/resize.

#include "admission/plugins.h"
#include "admission/request.h"
#include "admission/resources.h"
#include "json/access.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {
namespace {

using json::Value;

Quantity size_of(const Value& claim) {
  const Value* size = claim.at({"spec", "resources", "requests", "storage"});
  return size == nullptr ? Quantity() : quantity_of(*size);
}

std::string_view class_of(const Value& claim) {
  const std::string_view annotated =
      text_at(claim, {"metadata", "annotations", "volume.beta.kubernetes.io/storage-class"});
  return annotated.empty() ? text_at(claim, {"spec", "storageClassName"}) : annotated;
}

bool may_expand(const AdmissionRequest& request) {
  const std::string_view name = class_of(request.object);
  if (name.empty() || name != class_of(*request.old)) return false;
  const Value found = request.registry.find_object({"storage.k8s.io", "v1", "storageclasses"}, {},
                                                   name, request.context.arena);
  const Value* allowed = found.is_object() ? found.find("allowVolumeExpansion") : nullptr;
  return allowed != nullptr && allowed->is_bool() && allowed->as_bool();
}

}  // namespace

Result<void> check_claim_size(const AdmissionRequest& request, PluginState&) {
  if (size_of(request.object).compare(size_of(*request.old)) <= 0) return {};
  if (text_at(*request.old, {"status", "phase"}) != "Bound") {
    return refusal(request, "Only bound persistent volume claims can be expanded");
  }
  if (may_expand(request)) return {};
  return refusal(request,
                 "only dynamically provisioned pvc can be resized and the storageclass that "
                 "provisions the pvc must support resize");
}

}  // namespace tabernetes::admission
