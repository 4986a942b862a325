// From a request to the code that answers it. Source: spec/rest.md 1.
#pragma once

#include <optional>

#include "server/cluster/cluster.h"
#include "server/request/call.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

struct Routed {
  Response response;
  // True: the request could not be answered without a writer, and `response` means nothing.
  bool needs_writer = false;
  // Not 0: the answer may be another one once this version is reached; `response` is for the case
  // that it is not reached in time.
  store::Revision awaits = 0;
  std::optional<Duration> deadline;  // when the caller stops waiting; nothing: never
  RequestKind kind;                  // what the metrics count it as
};

// Answers any request but those of the host's control paths (see admin.h). `writer` is the cluster
// to write to; null where only reading can be done.
Routed route(const Reading& reading, Cluster* writer, const Request& request);

}  // namespace tabernetes::server
