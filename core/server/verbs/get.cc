// GET of one object, or of a collection.

#include <utility>

#include "server/encode/answer.h"
#include "server/list/component_statuses.h"
#include "server/list/list.h"
#include "server/list/resource_metrics.h"
#include "server/request/readable.h"
#include "server/request/resource_version.h"
#include "server/verbs/verbs.h"
#include "server/verbs/watch.h"

namespace tabernetes::server {
namespace {

// A resourceVersion for a single object is only a lower bound.
Result<void> check_version_reached(RequestContext& call) {
  const std::string_view text = call.query.get("resourceVersion");
  TAB_TRY(const store::Revision wanted, parse_version(*call.type, VersionCheck::kGet, text));
  return check_reached(call, wanted);
}

}  // namespace

Result<Response> get(RequestContext& call) {
  TAB_TRY(const Representation form,
          negotiate(call.request, call.query, Offer::kObjects, call.negotiation()));
  if (call.query.boolean("export").value_or(false)) {
    return errors::bad_request(
        "the export parameter, deprecated since v1.14, is no longer supported");
  }
  if (is_component_status(call)) {
    TAB_TRY(const store::RecordPtr component, get_component_status(call));
    return answer_object(call, form, 200, component);
  }
  if (is_resource_metrics(call)) {
    TAB_TRY(const store::RecordPtr metrics, get_resource_metrics(call));
    return answer_object(call, form, 200, metrics);
  }
  TAB_CHECK(check_version_reached(call));
  TAB_TRY(const store::RecordPtr record, registry::get_object(call.objects.tree(), call.ref()));
  TAB_CHECK(check_readable(call, record, ReadPurpose::kAnswer));
  return answer_addressed(call, form, 200, record);
}

Result<Response> list(RequestContext& call) {
  TAB_TRY(const Representation form,
          negotiate(call.request, call.query, Offer::kObjects, call.negotiation()));
  TAB_TRY(const ListOptions options, parse_list_options(call.query, call.server.watch_list));
  TAB_TRY(const ObjectSelector selector, ObjectSelector::parse(options, *call.type));
  if (is_component_status(call)) {
    return answer_list(call, form, list_component_statuses(call, selector));
  }
  if (is_resource_metrics(call)) {
    return answer_list(call, form, list_resource_metrics(call, selector));
  }
  TAB_TRY(ListPage page, list_page(call, options, selector));
  return answer_list(call, form, std::move(page));
}

Result<Response> watch(RequestContext& call, Cluster& cluster) {
  // Whether the media type can be streamed is asked last.
  TAB_CHECK(negotiate(call.request, call.query, Offer::kObjects, call.negotiation()));
  TAB_TRY(const ListOptions options, parse_list_options(call.query, call.server.watch_list));
  TAB_TRY(ObjectSelector selector, ObjectSelector::parse(options, *call.type));
  if (!call.name.empty() && !selector.fields.empty()) {
    const auto named = selector.fields.requires_exact_match("metadata.name");
    if (!named || *named != call.name) {
      return errors::bad_request("fieldSelector metadata.name doesn't match requested name");
    }
  }
  if (!call.type->resource->has_verb("watch")) {
    return errors::method_not_supported(call.type->group_resource(), "watch");
  }
  return open_watch(call, cluster, options, std::move(selector));
}

}  // namespace tabernetes::server
