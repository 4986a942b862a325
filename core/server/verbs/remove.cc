// DELETE of one object, and of a collection.

#include <cstdint>
#include <utility>

#include "registry/kind/kind_behaviour.h"
#include "server/decode/body.h"
#include "server/encode/answer.h"
#include "server/encode/tables.h"
#include "server/list/list.h"
#include "server/request/options.h"
#include "server/request/readable.h"
#include "server/request/shown_options.h"
#include "server/verbs/remove_unreadable.h"
#include "server/verbs/verbs.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kUnsafeDeletionGate = "AllowUnsafeMalformedObjectDeletion";

// A body replaces the options in the query. Source: spec/lifecycle.md 3.1.
// `shown` becomes what admission shows of them.
Result<DeleteRequestOptions> read_delete_options(RequestContext& call, json::Value& shown) {
  TAB_CHECK(check_body_size(call.request));
  const bool unsafe = call.server.gates.enabled(kUnsafeDeletionGate);
  shown = shown_options(call.request, call.query, call.arena);
  if (call.request.body.empty()) return delete_options_from_query(call.query, unsafe);
  TAB_TRY(const json::Value body, decode_delete_options(call));
  audit_delete_options(call, body);
  shown = shown_delete_options(body, call.arena);
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
  json::Value shown;
  TAB_TRY(const DeleteRequestOptions remove, read_delete_options(call, shown));
  warn_without_policy(call, remove.options);
  if (remove.ignore_read_errors) return remove_unreadable(call, cluster, form);
  TAB_CHECK(check_readable(call, ReadPurpose::kAnswer));
  registry::WriteContext context = call.write_context(remove.dry_run);
  context.options = shown;
  TAB_TRY(const registry::Deleted deleted,
          cluster.registry.remove(context, call.ref(), remove.options));
  if (deleted.gone && !call.type->strategy->returns_deleted_object) {
    // Validated although there is no table in the answer.
    if (form.transform == Transform::kTable) TAB_CHECK(included_object(call));
    return answer_tree(form, 200, success_tree(*call.type, call.name, deleted.uid, call.arena));
  }
  const bool accepted = !deleted.gone && remove.options.orphan_dependents == false;
  return answer_written(call, cluster, form, accepted ? 202 : 200, deleted.record, deleted.shown);
}

// A rehearsal changes nothing.
enum class Removal : std::uint8_t { kReal, kRehearsal };

// Continues with the next object while a webhook has not answered.
static Result<void> remove_page(RequestContext& call, Cluster& cluster, const ListPage& page,
                                const DeleteRequestOptions& remove, const json::Value& shown,
                                Removal removal) {
  registry::DeleteOptions options = remove.options;
  options.from_collection = true;
  for (const store::RecordPtr& record : page.records) {
    const auto [ns, name] = registry::split_key(*call.type, record->key);
    json::Arena work;
    const bool rehearses = removal == Removal::kRehearsal && !remove.dry_run;
    const registry::WriteContext context{.arena = work,
                                         .now = call.now,
                                         .dry_run = remove.dry_run || rehearses,
                                         .warnings = &call.warnings,
                                         .notes = call.audited.notes,
                                         .user = &call.user,
                                         .pending = call.pending,
                                         .options = shown,
                                         .rehearses = rehearses};
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
  json::Value shown;
  TAB_TRY(const DeleteRequestOptions remove, read_delete_options(call, shown));
  TAB_CHECK(check_collection_options(remove));
  warn_without_policy(call, remove.options);
  TAB_TRY(ListPage page, list_page(call, options, selector));
  if (call.pending != nullptr) {
    // Asks all webhooks before the first object is deleted.
    const std::size_t warnings = call.warnings.size();
    (void)remove_page(call, cluster, page, remove, shown, Removal::kRehearsal);
    TAB_CHECK(registry::may_persist(call.pending));
    call.warnings.resize(warnings);
  }
  TAB_CHECK(remove_page(call, cluster, page, remove, shown, Removal::kReal));
  return answer_list(call, form, std::move(page));
}

}  // namespace tabernetes::server
