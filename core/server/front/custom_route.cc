// Routes requests for custom resources with the checks of apiextensions-apiserver, in its order: it
// has routes of its own. Source: upstream 1.36 customresource_handler.go;
// spec/crd-auth-admission.md 1.10.
#include "server/front/custom_route.h"

#include "registry/kind/kind_behaviour.h"

namespace tabernetes::server {
namespace {

// Returns the verb that the real server derives from method and path.
std::string_view verb_of(const RequestContext& call, bool watches) {
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

Result<std::string_view> custom_verb(RequestContext& call, const ResourcePath& path) {
  const bool namespaced = call.type->resource->namespaced;
  const bool watches =
      path.watch_prefix || (call.request.method == "GET" && call.subresource == nullptr &&
                            call.query.boolean("watch").value_or(false));
  const std::string_view verb = verb_of(call, watches);
  const bool everywhere = verb == "list" || verb == "watch";
  if (namespaced ? path.ns.empty() && !everywhere : !path.ns.empty()) {
    return errors::route_not_found();
  }
  TAB_CHECK(call.type->behaviour->check_served());
  const std::string_view deprecation = call.type->behaviour->deprecation();
  if (!deprecation.empty()) {
    call.warnings.emplace_back(deprecation);
    if (call.audited.notes != nullptr) call.audited.notes->add("k8s.io/deprecated", "true");
  }
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
