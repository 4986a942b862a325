#include "server/front/limit_filter.h"

#include <string>

#include "base/go/duration.h"
#include "server/audit/audited_objects.h"
#include "server/encode/answer.h"
#include "server/limits/request_limits.h"

namespace tabernetes::server {
namespace {

// A request may wait for a quarter of the time that it has in all.
Duration patience_of(const RequestContext& call) {
  const Duration time = call.deadline.value_or(call.server.options.request_timeout);
  return {time.nanoseconds / 4};
}

// Views answer at once, so they only have to know whether there is room.
Passage meet_as_view(RequestContext& call) {
  const FlowTable& table = *call.limited.table;
  const LevelLoad* const load = call.flow != nullptr ? call.flow->load.get() : table.reads.get();
  if (load == nullptr || !load->full.load(std::memory_order_relaxed)) return Passage::kPasses;
  call.needs_writer = true;
  return Passage::kWaits;
}

}  // namespace

Passage meet_limits(RequestContext& call, const auth::Attributes& attributes,
                    std::string_view path) {
  const FlowTable* const table = call.limited.table;
  if (table == nullptr) return Passage::kPasses;
  const bool watches = attributes.verb == "watch";
  if (call.long_running && !(watches && table->by_priority)) return Passage::kPasses;
  if (table->by_priority) call.flow = &table->classify(attributes);
  if (call.limited.limits == nullptr) return meet_as_view(call);
  const Ticket::State state = call.limited.limits->enter(
      *call.limited.ticket, call.flow,
      {.attributes = attributes, .path = path, .patience = patience_of(call)});
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
