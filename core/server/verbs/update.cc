#include "registry/kind/kind_behaviour.h"
#include "registry/life/scale.h"
#include "registry/meta/object_meta.h"
#include "registry/meta/owner_references.h"
#include "registry/objects/object_record.h"
#include "server/access/authorization.h"
#include "server/decode/body.h"
#include "server/encode/answer.h"
#include "server/request/options.h"
#include "server/request/readable.h"
#include "server/verbs/verbs.h"

namespace tabernetes::server {
namespace {

using json::Value;

// The uid in a PUT is a precondition. Source: spec/lifecycle.md 2.1 step 2.
Result<void> check_uid(const RequestContext& call, const Value& object, const Value* stored) {
  const std::string_view wanted = object.find("metadata")->string_at("uid");
  // Reported as 404 later.
  if (stored == nullptr && !call.type->strategy->allow_create_on_update) return {};
  // A missing object has no uid, so a PUT with a uid must not create it.
  const std::string_view actual =
      stored == nullptr ? std::string_view() : stored->find("metadata")->string_at("uid");
  if (wanted.empty() || wanted == actual) return {};
  return errors::conflict(
      call.type->group_resource(), call.name,
      "StorageError: invalid object, Code: 4, Key: " + call.type->etcd_key(call.ns, call.name) +
          ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: " +
          std::string(wanted) + ", UID in object meta: " + std::string(actual));
}

}  // namespace

registry::Scaling scaling_of(const RequestContext& call, Cluster& cluster,
                             const registry::WriteContext& context) {
  return {cluster.registry, context, call.ref(), *call.subresource->type};
}

registry::Subresource subresource_of(const RequestContext& call) {
  using registry::Subresource;
  static constexpr std::pair<std::string_view, Subresource> kSubresources[] = {
      {"status", Subresource::kStatus},
      {"finalize", Subresource::kFinalize},
      {"ephemeralcontainers", Subresource::kEphemeralContainers},
      {"resize", Subresource::kResize},
      {"approval", Subresource::kApproval}};
  if (call.subresource == nullptr) return Subresource::kNone;
  for (const auto& [name, subresource] : kSubresources) {
    if (name == call.subresource->name) return subresource;
  }
  return Subresource::kNone;
}

Result<void> agree_with_path(const RequestContext& call, Value& object, json::Arena& arena) {
  registry::ObjectMeta meta(object, arena);
  if (!call.type->resource->namespaced) {
    meta.erase("namespace");
  } else if (meta.ns().empty()) {
    meta.set("namespace", call.ns);
  } else if (meta.ns() != call.ns) {
    return errors::bad_request(
        "the namespace of the provided object does not match the namespace sent on the request");
  }
  if (meta.name().empty()) {
    return errors::bad_request("the name of the object (" + call.name +
                               " based on URL) was undeterminable: name must be provided");
  }
  if (meta.name() != call.name) {
    return errors::bad_request("the name of the object (" + std::string(meta.name()) +
                               ") does not match the name on the URL (" + call.name + ")");
  }
  return {};
}

Result<Response> update(RequestContext& call, Cluster& cluster) {
  TAB_TRY(const Representation form,
          negotiate(call.request, call.query, Offer::kObjects, call.negotiation()));
  TAB_CHECK(check_body_size(call.request));
  TAB_TRY(const WriteOptions options, parse_write_options(call.query, "UpdateOptions"));
  TAB_TRY(Value object, decode_body(call, options.field_validation));
  audit_object(call, object, &cluster);
  registry::drop_equal_owners(object, registry::OwnersSeen::kAsSent, &call.warnings, call.arena);
  TAB_CHECK(agree_with_path(call, object, call.arena));
  registry::WriteContext context = call.write_context(options.dry_run, options.field_manager);
  context.tracks_fields = !is_scale(call);
  context.check_may_create = [&call] { return check_may_create(call); };
  const auto transform = [&](const Value* stored) -> Result<Value> {
    TAB_CHECK(check_uid(call, object, stored));
    if (!is_scale(call)) return object;
    if (stored == nullptr) {
      return errors::not_found(call.type->group_resource(), call.name);
    }
    return registry::apply_scale(scaling_of(call, cluster, context), *stored, object);
  };
  TAB_CHECK(check_readable(call, ReadPurpose::kWrite));
  TAB_TRY(const registry::Updated updated,
          cluster.registry.update(context, call.ref(), subresource_of(call), transform));
  return answer_written(call, cluster, form, updated.created ? 201 : 200, updated.record);
}

}  // namespace tabernetes::server
