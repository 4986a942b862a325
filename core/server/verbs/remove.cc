// DELETE of one object, and of a collection.

#include <utility>

#include "registry/kind/kind_behaviour.h"
#include "server/decode/body.h"
#include "server/encode/answer.h"
#include "server/encode/tables.h"
#include "server/list/list.h"
#include "server/request/options.h"
#include "server/request/readable.h"
#include "server/verbs/remove_unreadable.h"
#include "server/verbs/verbs.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kUnsafeDeletionGate = "AllowUnsafeMalformedObjectDeletion";

// A body replaces the options in the query. Source: spec/lifecycle.md 3.1.
Result<DeleteRequestOptions> read_delete_options(RequestContext& call) {
  TAB_CHECK(check_body_size(call.request));
  const bool unsafe = call.server.gates.enabled(kUnsafeDeletionGate);
  if (call.request.body.empty()) return delete_options_from_query(call.query, unsafe);
  TAB_TRY(const json::Value body, decode_delete_options(call));
  return delete_options_from_body(body, unsafe);
}

void warn_without_policy(RequestContext& call, const registry::DeleteOptions& options) {
  const std::string_view warning = call.type->strategy->warning_without_policy;
  if (!warning.empty() && options.propagation == registry::Propagation::kUnset &&
      !options.orphan_dependents) {
    call.warnings.emplace_back(warning);
  }
}

}  // namespace

Result<Response> remove(RequestContext& call, Cluster& cluster) {
  TAB_TRY(const Representation form,
          negotiate(call.request, call.query, Offer::kObjects, call.negotiation()));
  TAB_TRY(const DeleteRequestOptions remove, read_delete_options(call));
  warn_without_policy(call, remove.options);
  if (remove.ignore_read_errors) return remove_unreadable(call, cluster, form);
  TAB_CHECK(check_readable(call, ReadPurpose::kAnswer));
  TAB_TRY(const registry::Deleted deleted,
          cluster.registry.remove(call.write_context(remove.dry_run), call.ref(), remove.options));
  if (deleted.gone && !call.type->strategy->returns_deleted_object) {
    // Validated although there is no table in the answer.
    if (form.transform == Transform::kTable) TAB_CHECK(included_object(call));
    return answer_tree(form, 200, success_tree(*call.type, call.name, deleted.uid, call.arena));
  }
  const bool accepted = !deleted.gone && remove.options.orphan_dependents == false;
  return answer_written(call, cluster, form, accepted ? 202 : 200, deleted.record, deleted.shown);
}

// Continues with the next object while a webhook has not answered.
static Result<void> remove_page(RequestContext& call, Cluster& cluster, const ListPage& page,
                                const DeleteRequestOptions& remove) {
  registry::DeleteOptions options = remove.options;
  options.from_collection = true;
  for (const store::RecordPtr& record : page.records) {
    const auto [ns, name] = registry::split_key(*call.type, record->key);
    json::Arena work;
    const registry::WriteContext context{.arena = work,
                                         .now = call.now,
                                         .dry_run = remove.dry_run,
                                         .warnings = &call.warnings,
                                         .user = &call.user,
                                         .pending = call.pending};
    const auto removed = cluster.registry.remove(context, {call.type, ns, name}, options);
    if (removed || removed.error().code == 404 || !registry::may_persist(call.pending)) continue;
    return removed.error();
  }
  return {};
}

Result<Response> remove_collection(RequestContext& call, Cluster& cluster) {
  TAB_TRY(const Representation form,
          negotiate(call.request, call.query, Offer::kObjects, call.negotiation()));
  TAB_TRY(const ListOptions options, parse_list_options(call.query, call.server.watch_list));
  TAB_TRY(const ObjectSelector selector, ObjectSelector::parse(options, *call.type));
  TAB_TRY(const DeleteRequestOptions remove, read_delete_options(call));
  TAB_CHECK(check_collection_options(remove));
  warn_without_policy(call, remove.options);
  TAB_TRY(ListPage page, list_page(call, options, selector));
  if (call.type->behaviour->may_need_webhook()) {
    // Collects all needed conversions before the first object is deleted.
    DeleteRequestOptions rehearsal = remove;
    rehearsal.dry_run = true;
    (void)remove_page(call, cluster, page, rehearsal);
    TAB_CHECK(registry::may_persist(call.pending));
  }
  TAB_CHECK(remove_page(call, cluster, page, remove));
  return answer_list(call, form, std::move(page));
}

}  // namespace tabernetes::server
