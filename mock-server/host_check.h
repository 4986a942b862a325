// The guard against DNS rebinding: a web page whose name suddenly resolves to this machine sends
// its own name in the Host header, so only names known to be ours are answered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

}  // namespace tabernetes::host
