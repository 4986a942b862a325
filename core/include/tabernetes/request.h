// What a host hands to the core: an HTTP request without its connection.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tabernetes/buffer.h"

namespace tabernetes {

// Header lines in the order of the wire. Request names are lower case.
using Headers = std::vector<std::pair<std::string, std::string>>;

// The first value of header `name` (lower case); empty if there is none.
std::string_view find_header(const Headers& headers, std::string_view name);

// Facts of the connection that a request came over.
struct Peer {
  std::string local_address;   // "127.0.0.1:8001", for serverAddressByClientCIDRs; empty in-process
  std::string remote_address;  // "127.0.0.1"
};

struct Request {
  std::string method;  // as sent, such as "GET"
  std::string target;  // path[?query], still percent-encoded
  Headers headers;
  std::string body;
  Peer peer;
  // Not empty if the host itself names the user, by lines as those of the headers Impersonate-*: no
  // credentials are needed. Never set it from what comes from outside.
  Headers host_identity = {};
};

// What a request is, in the words of kube-apiserver's log and metrics.
struct RequestSummary {
  std::string verb;      // GET, LIST, WATCH, APPLY, CONNECT, or the method
  std::string resource;  // "pods", "deployments.apps/scale"; empty for what is no resource
};

// Looks at the path alone: whether the resource exists is another matter. Source: upstream 1.36
// apiserver/pkg/endpoints/request/requestinfo.go and metrics.NormalizedVerb.
RequestSummary summarize_request(std::string_view method, std::string_view target,
                                 std::string_view content_type);

}  // namespace tabernetes
