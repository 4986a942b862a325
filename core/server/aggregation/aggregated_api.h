// APIServices that name a service: their group versions are served by another server.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/user.h"
#include "json/value.h"
#include "registry/kind/resource_type.h"
#include "server/request/objects.h"
#include "tabernetes/http.h"
#include "tabernetes/proxy.h"

namespace tabernetes::server {

struct AggregatedApi {
  std::string name;  // "v1beta1.metrics.k8s.io"
  std::string group, version;
  std::string service_namespace, service_name;
  int port = 443;
  std::string ca_bundle;  // PEM
  bool insecure = false;
  bool available = false;  // by its condition
  int group_priority = 0, version_priority = 0;

  friend bool operator==(const AggregatedApi&, const AggregatedApi&) = default;
};

// Reads a stored APIService; nullopt if it names no service.
std::optional<AggregatedApi> read_aggregated_api(const json::Value& object);

// Returns the API for a path in segments ("apis", group, version, …); nullopt if this server serves
// it itself. `measures`: metrics.k8s.io is served here while its service does not exist.
std::optional<AggregatedApi> find_aggregated_api(const registry::ResourceTable& resources,
                                                 const store::Tree& tree,
                                                 const std::vector<std::string>& segments,
                                                 bool measures);

// Returns whether the API's service exists.
bool service_exists(const registry::ResourceTable& resources, const store::Tree& tree,
                    const AggregatedApi& api);

// Returns true for the API that this server stands in for: see find_aggregated_api().
bool is_own_metrics(const registry::ResourceTable& resources, const store::Tree& tree,
                    const AggregatedApi& api, bool measures);

// Returns the call for a target of the API (path and query) as that user, with these headers of the
// user's request besides. `objects` has the services.
ProxyCall call_of(const AggregatedApi& api, std::string_view method, std::string_view target,
                  const auth::User& user, const Headers& headers,
                  const registry::ObjectReader& objects);

// Has the connection upgraded if the request asks for it.
void add_upgrade(const Request& request, ProxyCall& call);

// Tells the other server where the request came from.
void add_forwarded_for(const Request& request, Headers& headers);

// Returns "10.96.0.7:443", where kube-apiserver would find the API's service.
std::string service_host(const AggregatedApi& api, const registry::ObjectReader& objects);

// Returns a header of an answer, by its name in lower case; empty if it is not there.
std::string header_of(const ProxyAnswer& answer, std::string_view name);

// Returns the answer to the client.
Response answer_of(ProxyAnswer answer, std::unique_ptr<Stream> body);

// Returns the answer while the API is not available.
Response answer_unavailable();

}  // namespace tabernetes::server
