// Aggregated discovery: every resource of the server in one document, which is what clients ask
// for first. Source: spec/rest.md 2.3.
#pragma once

#include <string_view>

#include "json/value.h"
#include "server/discovery/discovery.h"

namespace tabernetes::server {

// The parameters that ask for these documents, as they stand in the answer's Content-Type.
inline constexpr std::string_view kAggregatedDiscoveryParameters =
    ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

// GET /api as APIGroupDiscoveryList: the legacy group alone.
json::Value aggregated_api(const Groups& groups, json::Arena& arena);

// GET /apis as APIGroupDiscoveryList: every named group, in discovery order.
json::Value aggregated_apis(const Groups& groups, json::Arena& arena);

}  // namespace tabernetes::server
