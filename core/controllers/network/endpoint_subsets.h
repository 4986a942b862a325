// The subsets of Endpoints: addresses that share ports. Source: upstream 1.36
// pkg/api/v1/endpoints, pkg/controller/endpoint.
#pragma once

#include <vector>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::controllers {

// Returns the subsets of a service's pods as an array; terminating and finished ones are left out.
// `endpoints` is the type of Endpoints.
json::Value subsets_of(const json::Value& service, const std::vector<json::Value>& pods,
                       const schema::Type& endpoints, json::Arena& arena);

// Leaves at most 1000 addresses, ready ones first. Returns whether there were more.
bool truncate_subsets(json::Value& subsets);

}  // namespace tabernetes::controllers
