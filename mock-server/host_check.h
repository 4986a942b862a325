// The guard against DNS rebinding: a web page whose name suddenly resolves to this machine sends
// its own name in the Host header, so only names known to be ours are answered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tabernetes/request.h"

namespace tabernetes::host {

struct HostPolicy {
  // Hosts of the --listen addresses. A wildcard ("0.0.0.0", "::") stands for every IP address:
  // rebinding needs a name, so an address in the Host header is never an attack.
  std::vector<std::string> listening;
  // --allowed-hosts: names, ".example.com" for every name below it, "*" for all.
  std::vector<std::string> allowed;
};

// The host of "HOST[:PORT]" in lower case, without brackets, port and final dot; empty if there is
// none.
std::string host_of_authority(std::string_view authority);

// Whether a request that names `authority` ("HOST[:PORT]") may be answered. The port does not
// matter: a forwarded port changes it. Loopback names and addresses always may.
bool host_allowed(std::string_view authority, const HostPolicy& policy);

// Whether a page of `origin` may open a WebSocket to `authority`, which is allowed itself. Browsers
// let every page open one and read what it says, so an origin must be the server's own host, a
// loopback name, or one that the policy names; an address that only a wildcard covers is not
// enough, as pages come from addresses too. Origins that are not HTTP's, such as `file://` and
// `null`, need `*`.
bool origin_allowed(std::string_view origin, std::string_view authority, const HostPolicy& policy);

// Whether `request` may be a write of a page that has no business here. A browser sends a POST
// without a Content-Type, or with one that HTML forms have, for any page and asks nobody; all other
// writes wait for a preflight, which CORS answers. The browser says whose page it is: in Origin,
// and to https and loopback URLs also in Sec-Fetch-Site, which no page can set and which is true
// behind a proxy as well. Nor can a page set X-Forwarded-Host without a preflight. Pages may write
// if origin_allowed() or `cors_origins` says so; who says nothing is no browser.
bool is_foreign_write(const Request& request, std::string_view authority, const HostPolicy& policy,
                      const std::vector<std::string>& cors_origins);

}  // namespace tabernetes::host
