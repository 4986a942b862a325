#include "server/verbs/watch.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "registry/table/table.h"
#include "server/encode/answer.h"
#include "server/encode/tables.h"
#include "server/request/negotiation.h"
#include "server/request/resource_version.h"
#include "server/watch/watch_stream.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kTooOld = "The resourceVersion for the provided watch is too old.";
constexpr std::int64_t kLongestSeconds = 100LL * 365 * 24 * 3600;

// Source: spec/list-watch.md 4.9.
Time end_of_watch(Watches& watches, std::optional<std::int64_t> timeout_seconds) {
  const Duration left = timeout_seconds.value_or(0) > 0
                            ? Duration::from_seconds(std::min(*timeout_seconds, kLongestSeconds))
                            : watches.default_duration();
  constexpr std::int64_t kEndOfTime = std::numeric_limits<std::int64_t>::max();
  const std::int64_t now = watches.now.unix_nanoseconds;
  return {now > kEndOfTime - left.nanoseconds ? kEndOfTime : now + left.nanoseconds};
}

Failure too_old(const registry::ResourceType& type, store::Revision version,
                store::Revision oldest) {
  if (type.strategy->uncached) return errors::expired(kTooOld);
  return errors::expired("too old resource version: " + std::to_string(version) + " (" +
                         std::to_string(oldest) + ")");
}

// Source: spec/list-watch.md 4.3.
WatchOptions start_of(Cluster& cluster, const registry::ResourceType& type,
                      const ListOptions& options, store::Revision version) {
  const store::Store& store = cluster.store;
  WatchOptions start{.with_objects = options.send_initial_events.value_or(version == 0),
                     .version = version,
                     .bookmarks = options.allow_watch_bookmarks && !type.strategy->uncached,
                     .end = end_of_watch(cluster.watches, options.timeout_seconds)};
  if (start.with_objects) {
    start.objects_end = options.send_initial_events == true && options.allow_watch_bookmarks;
    if (!type.strategy->uncached) start.patience = cluster.server->options.freshness_wait;
    return start;
  }
  if (version == 0) start.version = store.settled_revision();
  if (start.version < store.compacted_revision()) {
    start.error = too_old(type, version, store.compacted_revision());
  }
  return start;
}

// Returns whether the watch is found by a field's value. Of all those upstream counts none.
bool is_indexed(const RequestContext& call, const registry::FieldSelector& fields) {
  const std::string_view field = call.type->strategy->watch_index;
  return !field.empty() && !fields.requires_exact_match(field).value_or("").empty();
}

Response answer_head(const Representation& form) {
  Response response;
  std::string media(content_type(form));
  if (form.encoding == codec::Encoding::kProtobuf) media += ";stream=watch";
  if (form.encoding == codec::Encoding::kCbor) media += "-seq";
  response.headers = {{"Cache-Control", "no-cache, private"}, {"Content-Type", std::move(media)}};
  return response;
}

}  // namespace

Result<Response> open_watch(RequestContext& call, Cluster& cluster, const ListOptions& options,
                            ObjectSelector selector) {
  TAB_TRY(const store::Revision version,
          parse_version(*call.type, VersionCheck::kWatch, options.resource_version));
  TAB_TRY(const Representation form,
          negotiate(call.request, call.query, Offer::kWatch, call.negotiation()));
  auto include = registry::IncludeObject::kMetadata;
  if (form.transform == Transform::kTable) {
    TAB_TRY(include, included_object(call));
  }
  std::string scope = watch_scope(*call.type, call.ns, call.name, selector.fields);
  WatchOptions start = start_of(cluster, *call.type, options, version);
  if (!call.watched.empty() && !is_indexed(call, selector.fields)) {
    start.entry = WatchCensus::Entry(cluster.watches.census, call.watched);
  }
  WatchKey content{.type = call.type,
                   .scope = std::move(scope),
                   .selector = std::move(selector),
                   .form = form,
                   .include = include};
  Response response = answer_head(form);
  response.stream =
      std::make_unique<WatchStream>(cluster.watches, std::move(content), std::move(start));
  return response;
}

}  // namespace tabernetes::server
