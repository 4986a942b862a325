// Notes for the audit log what a request has sent.

#include "registry/kind/kind_behaviour.h"
#include "schema/decode.h"
#include "server/audit/audit_trail.h"
#include "server/verbs/verbs.h"

namespace tabernetes::server {

using json::Value;

void audit_object(RequestContext& call, const Value& object, Cluster* cluster) {
  AuditTrail* trail = call.audited.trail;
  if (trail == nullptr || !trail->wants_object()) return;
  const bool part = call.subresource != nullptr && call.subresource->type != nullptr;
  const bool own_kind = subresource_of(call) != registry::Subresource::kNone || !part;
  const schema::Type* type = own_kind ? call.type->resource->type : call.subresource->type;
  if (!trail->wants_request()) return trail->object_of_request(object, {}, {});
  // As upstream's decoder leaves it: with defaults.
  Value shown = object.clone(call.arena);
  if (!own_kind) {
    schema::apply_defaults(*type, shown, call.arena);
  } else if (cluster != nullptr) {
    registry::WriteContext context = call.write_context(true);
    context.warnings = nullptr;
    call.type->behaviour->apply_defaults(cluster->registry.hook_context(context), shown);
  }
  if (!call.type->built_in() && own_kind) {
    return trail->object_of_request(shown, {}, {});
  }
  shown = schema::decode_typed(*type, shown, call.arena).value;
  const std::string version =
      own_kind ? call.type->api_version
               : (call.subresource->group.empty() ? std::string()
                                                  : std::string(call.subresource->group) + "/") +
                     std::string(call.subresource->version);
  trail->object_of_request(shown, version,
                           own_kind ? call.type->resource->kind : call.subresource->kind);
}

void audit_delete_options(RequestContext& call, const Value& options) {
  AuditTrail* trail = call.audited.trail;
  if (trail == nullptr) return;
  trail->object_of_request(options, "meta.k8s.io/__internal", "DeleteOptions");
}

void audit_patch(RequestContext& call) {
  if (call.audited.trail != nullptr) call.audited.trail->patch_of_request(call.request.body);
}

}  // namespace tabernetes::server
