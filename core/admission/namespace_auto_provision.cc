// NamespaceAutoProvision: makes the namespace of a new object, if it is missing. Source: upstream
// 1.36 plugin/pkg/admission/namespace/autoprovision.

#include "admission/plugins.h"
#include "admission/request.h"
#include "json/access.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {

using json::Value;

// The namespace stays, also if the object is refused later.
Result<void> provide_namespace(const AdmissionRequest& request, PluginState&) {
  constexpr registry::ObjectReader::Resource kNamespaces{"", "v1", "namespaces"};
  // A request that is only rehearsed is done later.
  if (request.context.dry_run || request.ns.empty() || is_namespace(request)) return {};
  json::Arena& arena = request.context.arena;
  if (request.registry.find_object(kNamespaces, {}, request.ns, arena).is_object()) return {};
  Value metadata = Value::object(arena);
  metadata.append(arena, "name", Value::string(request.ns));
  Value made = Value::object(arena);
  made.append(arena, "apiVersion", Value::string("v1"));
  made.append(arena, "kind", Value::string("Namespace"));
  made.append(arena, "metadata", metadata);
  const registry::ResourceType& type = *request.registry.resources().find("", "v1", "namespaces");
  const auto created =
      request.registry.create(registry::server_context(request.context, {}), type, {}, made);
  if (created && request.context.pending != nullptr) request.context.pending->note_provided();
  if (created || created.error().reason == "AlreadyExists") return {};
  return refusal(request, created.error().message);
}

}  // namespace tabernetes::admission
