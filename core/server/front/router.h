// Routes a request to the code that answers it. Source: spec/rest.md 1.
#pragma once

#include <optional>
#include <string>

#include "server/cluster/cluster.h"
#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

struct Routed {
  Response response;
  // True: the request needs a writer, and `response` is meaningless.
  bool needs_writer = false;
  // If not 0, the answer may differ once this version is reached; `response` is valid if that does
  // not happen in time.
  store::Revision waits_for_revision = 0;
  std::optional<Duration> deadline;  // when the client stops waiting; unset: never
  RequestKind kind;                  // for the metrics
  std::string user;                  // who asks; empty if that is not known
  // How it was classified, as long as the table of the limits; null: not at all.
  const Flow* flow = nullptr;
  int seats = 1;               // that it takes in a view
  bool unheard_write = false;  // set by views: a write of which no watch hears
  // True: the request's ticket waits for a seat, and `response` is meaningless.
  bool waits_for_seat = false;
  // Set if another server is to answer; `response` is meaningless.
  std::shared_ptr<ProxyCall> forwarded = nullptr;
};

// Answers any request except for the host's control paths (see admin.h). `writer` is the cluster to
// write to, or null if only reading is possible.
Routed route(const ReadContext& reading, Cluster* writer, const Request& request);

// Lets a request in at the limits without answering it, as route() does before anything else.
void take_seat(const ReadContext& reading, const Request& request);

// Returns the refusal of a request for a control path of the host, which asks for the right to its
// path as every other path without a resource does; nullopt if the caller has it.
std::optional<Response> refuse_control(const ReadContext& reading, const Request& request);

}  // namespace tabernetes::server
