#include "admission/request.h"

#include "json/access.h"
#include "registry/life/registry.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::admission {
namespace {

// Returns the name for messages. Source: upstream 1.36 apiserver pkg/admission/errors.go
// (extractResourceName).
std::string_view resource_name(const AdmissionRequest& request) {
  if (!request.name.empty()) return request.name;
  const json::Value* meta =
      request.object.is_object() ? registry::metadata_of(request.object) : nullptr;
  if (meta == nullptr) return "Unknown";
  for (const std::string_view field : {"name", "generateName"}) {
    if (const std::string_view name = meta->string_at(field); !name.empty()) return name;
  }
  return "Unknown";
}

}  // namespace

bool is_namespace(const AdmissionRequest& request) {
  const schema::Resource& resource = *request.type.resource;
  return resource.group.empty() && resource.kind == "Namespace";
}

bool is_exempt_from_webhooks(const AdmissionRequest& request) {
  return request.context.user == nullptr ||
         request.type.resource->group == "admissionregistration.k8s.io";
}

bool is_exempt_from_policies(const AdmissionRequest& request) {
  const schema::Resource& resource = *request.type.resource;
  const bool reviews =
      (resource.group == "authentication.k8s.io" || resource.group == "authorization.k8s.io") &&
      !resource.has_verb("get");
  return request.context.user == nullptr || reviews ||
         (resource.group == "admissionregistration.k8s.io" &&
          !resource.plural.ends_with("webhookconfigurations"));
}

bool keeps_generation(const AdmissionRequest& request) {
  return json::number_at(request.object, {"metadata", "generation"}) ==
         json::number_at(*request.old, {"metadata", "generation"});
}

Failure refusal(const AdmissionRequest& request, std::string_view why) {
  return errors::forbidden(request.type.group_resource(), resource_name(request), why);
}

void for_each_in_namespace(const AdmissionRequest& request, std::string_view plural,
                           const std::function<void(const json::Value&)>& visit) {
  request.registry.each_object_in({"", "v1", plural}, request.ns, request.context.arena, visit);
}

}  // namespace tabernetes::admission
