#include "server/front/limit_filter.h"

#include <optional>
#include <string>

#include "base/go/duration.h"
#include "server/audit/audited_objects.h"
#include "server/encode/answer.h"
#include "server/limits/request_limits.h"
#include "server/limits/work_estimate.h"
#include "server/watch/watch_census.h"

namespace tabernetes::server {
namespace {

// A request may wait for a quarter of the time that it has in all.
Duration patience_of(const RequestContext& call) {
  const Duration time = call.deadline.value_or(call.server.options.request_timeout);
  return {time.nanoseconds / 4};
}

// Returns the extent of all objects of the resource, in the version of the store.
store::Tree::Extent stored_objects(const RequestContext& call, const auth::Attributes& attributes) {
  const registry::ResourceType* const type =
      call.resources.find(attributes.group, attributes.version, attributes.resource);
  if (type == nullptr) return {};
  const std::string prefix = type->collection_prefix({});
  return call.objects.tree().extent(prefix, store::prefix_end(prefix));
}

// Returns whether it is a write that watches may hear of, by what upstream counts.
bool may_be_heard(const auth::Attributes& attributes) {
  const std::string_view verb = attributes.verb;
  const bool makes_token =
      attributes.resource == "serviceaccounts" && attributes.subresource == "token";
  return !makes_token &&
         (verb == "create" || verb == "update" || verb == "patch" || verb == "delete");
}

// Returns whether there may be watches of what the request names.
bool may_be_watched(const RequestContext& call, const auth::Attributes& attributes) {
  const registry::ResourceType* const type =
      call.resources.find(attributes.group, attributes.version, attributes.resource);
  return type != nullptr && type->resource->has_verb("watch");
}

WatchCensus::Subject subject_of(const auth::Attributes& attributes) {
  return {attributes.group, attributes.resource, attributes.ns, attributes.name};
}

// Returns how many watches hear of the request; nullopt if it is no write that they hear of.
std::optional<int> hearers(const RequestContext& call, const auth::Attributes& attributes) {
  if (call.limited.watches == nullptr || !may_be_heard(attributes)) return std::nullopt;
  return call.limited.watches->hearers(subject_of(attributes));
}

WorkEstimate expected_work(const RequestContext& call, const auth::Attributes& attributes,
                           std::optional<int> hearers) {
  if (hearers) return estimate_write(*hearers, call.flow->most_seats);
  const bool watches = attributes.verb == "watch";
  if (watches && !call.server.watch_list) return {};
  if (!attributes.on_resource || (!watches && attributes.verb != "list")) return {};
  return estimate_list({.query = call.query,
                        .watches = watches,
                        .by_size = call.server.lists_by_size,
                        .one_object = !attributes.name.empty(),
                        .stored = stored_objects(call, attributes)},
                       call.flow->most_seats);
}

// Views answer at once, so they only have to know whether there is room. Of writes they answer
// those that nobody hears of, such as reviews: who hears of others only the writer knows.
Passage meet_as_view(RequestContext& call, const auth::Attributes& attributes) {
  if (call.flow != nullptr) {
    call.seats = expected_work(call, attributes, std::nullopt).seats();
    call.unheard_write = may_be_heard(attributes);
  }
  const FlowTable& table = *call.limited.table;
  const LevelLoad* const load = call.flow != nullptr ? call.flow->load.get() : table.reads.get();
  const bool has_room = load == nullptr || call.seats <= load->room.load(std::memory_order_relaxed);
  if (has_room && !(call.unheard_write && may_be_watched(call, attributes))) {
    return Passage::kPasses;
  }
  call.needs_writer = true;
  return Passage::kWaits;
}

// Lets the request in, unless it is, and notes a watch that is to be counted.
Ticket::State let_in(RequestContext& call, const auth::Attributes& attributes,
                     std::string_view path) {
  RequestLimits::Wish wish{.attributes = attributes, .path = path, .patience = patience_of(call)};
  Ticket& ticket = *call.limited.ticket;
  if (call.flow != nullptr && ticket.state() == Ticket::State::kNew) {
    wish.watches = hearers(call, attributes);
    wish.work = expected_work(call, attributes, wish.watches);
  }
  if (call.flow != nullptr && attributes.verb == "watch") {
    call.watched = WatchCensus::key_of(subject_of(attributes));
  }
  return call.limited.limits->enter(ticket, call.flow, wish);
}

}  // namespace

Passage meet_limits(RequestContext& call, const auth::Attributes& attributes,
                    std::string_view path) {
  const FlowTable* const table = call.limited.table;
  if (table == nullptr) return Passage::kPasses;
  const bool watches = attributes.verb == "watch";
  if (call.long_running && !(watches && table->by_priority)) return Passage::kPasses;
  if (table->by_priority) call.flow = &table->classify(attributes);
  if (call.limited.limits == nullptr) return meet_as_view(call, attributes);
  const Ticket::State state = let_in(call, attributes, path);
  if (state == Ticket::State::kRefused) return Passage::kRefused;
  if (state != Ticket::State::kWaits) return Passage::kPasses;
  call.waits_for_seat = true;
  return Passage::kWaits;
}

Response answer_too_many(RequestContext& call, const auth::Attributes& attributes) {
  const Ticket& ticket = *call.limited.ticket;
  const bool applies =
      find_header(call.request.headers, "content-type") == "application/apply-patch+yaml";
  call.limited.limits->note_termination(attributes, attributes.verb == "patch" && applies);
  constexpr Duration kSlow = Duration::from_milliseconds(500);
  if (call.audited.notes != nullptr && kSlow < ticket.waited()) {
    call.audited.notes->add("apiserver.latency.k8s.io/apf-queue-wait",
                            go_duration_text(ticket.waited()));
  }
  Response response = answer_text(429, "Too many requests, please try again later.\n");
  response.headers.emplace_back("Retry-After", std::to_string(ticket.retry_after()));
  return response;
}

void add_flow_headers(const RequestContext& call, Response& response) {
  if (call.flow == nullptr) return;
  response.headers.emplace_back("X-Kubernetes-Pf-Flowschema-Uid", call.flow->schema.uid);
  response.headers.emplace_back("X-Kubernetes-Pf-Prioritylevel-Uid", call.flow->level.uid);
}

}  // namespace tabernetes::server
