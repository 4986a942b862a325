// POST requests on a pod: binding to a node, eviction.

#include "kinds/core/pod_binding.h"
#include "kinds/core/pod_eviction.h"
#include "registry/life/write.h"
#include "registry/meta/object_meta.h"
#include "server/decode/body.h"
#include "server/encode/answer.h"
#include "server/verbs/verbs.h"

namespace tabernetes::server {
namespace {

using json::Value;

Response answer_done(const Representation& form) {
  json::Arena arena;
  return answer_tree(form, 201, status_tree({.code = 201, .reason = {}, .message = {}}, arena));
}

// Combines the options in the eviction and in the query: either can request a dry run.
Result<registry::DeleteOptions> eviction_options(const Value& eviction, bool& dry_run) {
  const Value* given = eviction.find("deleteOptions");
  if (given == nullptr || !given->is_object()) return registry::DeleteOptions();
  // Options that are refused later leave the pod as it is if they name any kind of dry run.
  const Value* kinds = given->find("dryRun");
  dry_run = dry_run || (kinds != nullptr && kinds->size() > 0);
  TAB_TRY(const DeleteRequestOptions remove, delete_options_from_body(*given, false));
  if (remove.ignore_read_errors) {
    return field::invalid_status(
        {"policy", "Eviction"}, eviction.find("metadata")->string_at("name"),
        {field::invalid(
            field::Path("deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential"), "true",
            "can not be set for pod eviction, try after removing the option")});
  }
  return remove.options;
}

registry::ObjectRef pod_of(const RequestContext& call, const std::string& name) {
  return {call.resources.find("", "v1", "pods"), call.ns, name};
}

}  // namespace

Result<Response> bind(RequestContext& call, Cluster& cluster) {
  TAB_TRY(DecodedRequest sent, read_new_object(call, Offer::kWithoutTable));
  audit_object(call, sent.object, &cluster);
  registry::ObjectMeta meta(sent.object, call.arena);
  TAB_CHECK(registry::set_request_namespace(*call.type, call.ns, meta));
  const std::string name = call.name.empty() ? std::string(meta.name()) : call.name;
  const registry::WriteContext context = call.write_context(sent.options.dry_run);
  const auto admission = creation_of(call, cluster, context, name, sent.object);
  TAB_CHECK(cluster.registry.mutate(admission));
  const registry::ObjectRef pod = pod_of(call, name);
  TAB_CHECK(registry::kinds::check_binding(pod, sent.object));
  TAB_CHECK(cluster.registry.validate(admission));
  TAB_CHECK(registry::kinds::bind_pod(cluster.registry, context, pod, sent.object));
  return answer_done(sent.form);
}

Result<Response> evict(RequestContext& call, Cluster& cluster) {
  TAB_TRY(DecodedRequest sent, read_new_object(call, Offer::kWithoutTable));
  audit_object(call, sent.object, &cluster);
  registry::ObjectMeta meta(sent.object, call.arena);
  TAB_CHECK(registry::set_request_namespace(*call.type, call.ns, meta));
  const registry::WriteContext context = call.write_context(sent.options.dry_run);
  const auto admission = creation_of(call, cluster, context, call.name, sent.object);
  TAB_CHECK(cluster.registry.mutate(admission));
  if (registry::ObjectMeta(sent.object, call.arena).name() != call.name) {
    return errors::bad_request("name in URL does not match name in Eviction object");
  }
  TAB_CHECK(cluster.registry.validate(admission));
  bool dry_run = sent.options.dry_run;
  const Result<registry::DeleteOptions> options = eviction_options(sent.object, dry_run);
  TAB_CHECK(registry::kinds::evict_pod(cluster.registry, call.write_context(dry_run), call.ref(),
                                       options));
  return answer_done(sent.form);
}

}  // namespace tabernetes::server
