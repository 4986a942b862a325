// NamespaceExists: the namespace of a request exists. Source: upstream 1.36
// plugin/pkg/admission/namespace/exists.

#include "admission/plugins.h"
#include "admission/request.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {

Result<void> check_namespace_exists(const AdmissionRequest& request, PluginState&) {
  if (request.ns.empty() || is_namespace(request)) return {};
  const json::Value found =
      request.registry.find_object({"", "v1", "namespaces"}, {}, request.ns, request.context.arena);
  if (found.is_object()) return {};
  return errors::not_found({"", "namespaces"}, request.ns);
}

}  // namespace tabernetes::admission
