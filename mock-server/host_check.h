// Guards against DNS rebinding. A web page whose name suddenly resolves to this machine sends its
// own name in the Host header, so only names known to be ours are answered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tabernetes/http.h"

namespace tabernetes::host {

struct HostPolicy {
  // Hosts of the --listen addresses. A wildcard ("0.0.0.0", "::") matches every IP address:
  // rebinding needs a name, so an address in the Host header is never an attack.
  std::vector<std::string> listening;
  // --allowed-hosts: names, ".example.com" for every name below it, "*" for all.
  std::vector<std::string> allowed;
};

// Returns the host of "HOST[:PORT]" in lower case, without brackets, port and final dot; empty if
// there is none.
std::string host_of_authority(std::string_view authority);

// Returns true if a request for `authority` ("HOST[:PORT]") may be answered. The port does not
// matter, since port forwarding changes it. Loopback names and addresses are always allowed.
bool host_allowed(std::string_view authority, const HostPolicy& policy);

// Returns true if a page of `origin` may open a WebSocket to `authority`, which is already allowed
// itself. Browsers let every page open a WebSocket and read its messages, so the origin must be the
// server's own host, a loopback name, or a name of the policy. An address that only a wildcard
// matches is not enough, since pages are served from addresses too. Origins other than HTTP's, such
// as `file://` and `null`, need `*`.
bool origin_allowed(std::string_view origin, std::string_view authority, const HostPolicy& policy);

// Returns true if a foreign page may have made this write. For any page, browsers send a POST
// without a Content-Type, or with one that HTML forms can have, without asking; all other writes
// need a preflight, which CORS answers. The browser names the page in Origin and, to https and
// loopback URLs, in Sec-Fetch-Site. No page can set Sec-Fetch-Site, and it stays true behind a
// proxy. Nor can a page set X-Forwarded-Host without a preflight. Pages may write if
// origin_allowed() or `cors_origins` allows them. A request without these headers does not come
// from a browser.
bool is_foreign_write(const Request& request, std::string_view authority, const HostPolicy& policy,
                      const std::vector<std::string>& cors_origins);

}  // namespace tabernetes::host
