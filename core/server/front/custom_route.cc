// Requests for custom resources, in the order in which apiextensions-apiserver looks at them: it
// has routes of its own. Source: upstream 1.36 customresource_handler.go;
// spec/crd-auth-admission.md 1.10.
#include "server/front/custom_route.h"

#include "registry/crd/custom_kind.h"

namespace tabernetes::server {
namespace {

// The verb of a request, as the real server derives it from method and path.
std::string_view verb_of(const Call& call, bool watches) {
  const bool collection = call.name.empty();
  const std::string& method = call.request.method;
  if (method == "POST") return "create";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return collection ? "deletecollection" : "delete";
  if (method != "GET" && method != "HEAD") return "";
  if (watches) return "watch";
  return collection ? "list" : "get";
}

}  // namespace

Result<std::string_view> custom_verb(Call& call, const ResourcePath& path) {
  const registry::crd::CustomVersion& version = *call.type->custom;
  const bool namespaced = version.resource.namespaced;
  const bool watches =
      path.watch_prefix || (call.request.method == "GET" && call.subresource == nullptr &&
                            call.query.boolean("watch").value_or(false));
  const std::string_view verb = verb_of(call, watches);
  const bool everywhere = verb == "list" || verb == "watch";
  if (namespaced ? path.ns.empty() && !everywhere : !path.ns.empty()) {
    return errors::route_not_found();
  }
  const registry::crd::ConversionWebhook* webhook = version.kind->webhook();
  if (webhook != nullptr && !webhook->usable) {
    return errors::internal_error("error resolving resource");
  }
  if (!version.warning.empty()) call.warnings.push_back(version.warning);
  if (!path.subresource.empty() && call.subresource == nullptr) {
    return errors::not_found(call.type->group_resource(), call.name);
  }
  const bool has_verb = call.subresource == nullptr
                            ? !verb.empty()
                            : verb == "get" || verb == "update" || verb == "patch";
  if (!has_verb) {
    return errors::method_not_supported(call.type->group_resource(), verb);
  }
  return verb;
}

}  // namespace tabernetes::server
