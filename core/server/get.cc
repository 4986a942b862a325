// GET of one object, or of a collection.

#include "base/go_text.h"
#include "server/answer.h"
#include "server/list.h"
#include "server/verbs.h"
#include "server/watch.h"

namespace tabernetes::server {
namespace {

// A version asked for with a single object only says how old the answer may be.
Result<void> check_version_reached(const Call& call) {
  const std::string_view text = call.query.get("resourceVersion");
  if (text.empty() || text == "0") return {};
  const GoParsedUint wanted = go_parse_uint(text);
  if (!wanted.error.empty()) {
    return make_unexpected(errors::plain_error("resourceVersion: Invalid value: " + go_quote(text) +
                                               ": " + wanted.error));
  }
  const store::Revision current = call.cluster.store.revision();
  if (wanted.value <= current) return {};
  return make_unexpected(
      errors::too_large_resource_version(std::to_string(wanted.value), std::to_string(current)));
}

}  // namespace

Result<Response> get(Call& call) {
  TAB_TRY(const Representation form,
          negotiate(call.request, call.query, Offer::kObjects, call.cluster.negotiation));
  if (call.query.boolean("export").value_or(false)) {
    return make_unexpected(errors::bad_request(
        "the export parameter, deprecated since v1.14, is no longer supported"));
  }
  TAB_CHECK(check_version_reached(call));
  TAB_TRY(const store::RecordPtr record, call.cluster.registry.get(call.ref()));
  return answer_object(call, form, 200, record);
}

Result<Response> list(Call& call) {
  const bool watching = call.query.boolean("watch").value_or(false);
  TAB_TRY(const Representation form,
          negotiate(call.request, call.query, watching ? Offer::kWatch : Offer::kObjects,
                    call.cluster.negotiation));
  TAB_TRY(const ListOptions options, parse_list_options(call.query));
  TAB_TRY(ObjectSelector selector, ObjectSelector::parse(options, *call.type->resource));
  if (options.watch) return open_watch(call, form, options, std::move(selector));
  TAB_TRY(const ListPage page, list_page(call, options, selector));
  return answer_list(call, form, page);
}

Result<Response> watch(Call& call) {
  TAB_TRY(const Representation form,
          negotiate(call.request, call.query, Offer::kWatch, call.cluster.negotiation));
  TAB_TRY(const ListOptions options, parse_list_options(call.query));
  TAB_TRY(ObjectSelector selector, ObjectSelector::parse(options, *call.type->resource));
  if (!call.name.empty()) {
    const auto named = selector.fields.requires_exact_match("metadata.name");
    if (named && *named != call.name) {
      return make_unexpected(
          errors::bad_request("fieldSelector metadata.name doesn't match requested name"));
    }
  }
  return open_watch(call, form, options, std::move(selector));
}

}  // namespace tabernetes::server
