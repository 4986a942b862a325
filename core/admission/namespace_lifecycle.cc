// NamespaceLifecycle: rejects creations in missing or terminating namespaces, and the deletion of
// some namespaces. Source: upstream 1.36 apiserver pkg/admission/plugin/namespace/lifecycle.

#include <string>

#include "admission/plugins.h"
#include "admission/request.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {
namespace {

bool is_immortal(std::string_view name) {
  return name == "default" || name == "kube-system" || name == "kube-public";
}

Failure being_terminated(const AdmissionRequest& request) {
  const std::string ns(request.ns);
  Failure failure = refusal(request, "unable to create new content in namespace " + ns +
                                         " because it is being terminated");
  failure->details->causes.push_back(
      {"NamespaceTerminating", "namespace " + ns + " is being terminated", "metadata.namespace"});
  return failure;
}

}  // namespace

Result<void> check_namespace(const AdmissionRequest& request, PluginState&) {
  if (is_deletion(request)) {
    if (!is_namespace(request) || !is_immortal(request.name)) return {};
    return errors::forbidden(request.type.group_resource(), request.name,
                             "this namespace may not be deleted");
  }
  // A review tells nothing about the namespace.
  if (request.ns.empty() || request.type.resource->kind == "LocalSubjectAccessReview") return {};
  const registry::ResourceType* namespaces =
      request.registry.resources().find("", "v1", "namespaces");
  TAB_TRY(const store::RecordPtr home, request.registry.get({namespaces, {}, request.ns}));
  if (!registry::offsets_of(*home).terminating) return {};
  return being_terminated(request);
}

}  // namespace tabernetes::admission
