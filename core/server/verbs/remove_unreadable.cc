#include "server/verbs/remove_unreadable.h"

#include "base/go/text.h"
#include "server/encode/answer.h"
#include "server/request/readable.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view kOption = "ignoreStoreReadErrorWithClusterBreakingPotential";

// Checks a right of its own. Source: upstream 1.36 apiserver pkg/endpoints/handlers/delete.go
// (authorizeUnsafeDelete).
Result<void> check_unsafe_deletion(const RequestContext& call) {
  constexpr std::string_view kVerb = "unsafe-delete-ignore-read-errors";
  const schema::Resource& resource = *call.type->resource;
  const auth::Decision decision = call.authorizer.authorize({.user = call.user,
                                                             .verb = kVerb,
                                                             .group = resource.group,
                                                             .version = resource.version,
                                                             .resource = resource.plural,
                                                             .subresource = {},
                                                             .ns = call.ns,
                                                             .name = call.name,
                                                             .path = {}});
  TAB_CHECK(registry::may_persist(call.pending));
  if (!decision.error.empty()) {
    return errors::forbidden(
        call.type->group_resource(), call.name,
        "error while checking permission for " + go_quote(kVerb) + ", " + decision.error);
  }
  if (decision.verdict == auth::Verdict::kAllow) return {};
  return errors::forbidden(
      call.type->group_resource(), call.name,
      "not permitted to do " + go_quote(kVerb) + ", reason: " + decision.reason);
}

}  // namespace

Result<Response> remove_unreadable(RequestContext& call, Cluster& cluster,
                                   const Representation& form) {
  if (call.audited.notes != nullptr) {
    call.audited.notes->add("apiserver.k8s.io/unsafe-delete-ignore-read-error", "");
  }
  TAB_CHECK(check_unsafe_deletion(call));
  const std::string key = call.type->key(call.ns, call.name);
  const store::RecordPtr record = cluster.store.get(key);
  if (!record || !is_corrupt(*record)) {
    return field::invalid_status(
        call.type->group_resource(), call.name,
        {field::invalid(field::Path(std::string(kOption)), "true",
                        "is exclusively used to delete corrupt object(s), try again by removing "
                        "this option")});
  }
  (void)cluster.store.remove(key, record->revision);
  json::Arena& arena = call.arena;
  Value details = Value::object(arena);
  details.append(arena, "name", Value::string(call.name));
  details.append(arena, "kind", Value::string(call.type->resource->kind));
  Value status = Value::object(arena);
  status.append(arena, "kind", Value::string("Status"));
  status.append(arena, "apiVersion", Value::string("v1"));
  status.append(arena, "metadata", Value::object(arena));
  status.append(arena, "status", Value::string("Success"));
  status.append(arena, "details", details);
  status.append(arena, "code", Value::integer(200));
  return answer_tree(form, 200, status);
}

}  // namespace tabernetes::server
