// One request on its way through the server.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "registry/registry.h"
#include "server/cluster.h"
#include "server/negotiation.h"
#include "server/query.h"
#include "tabernetes/request.h"

namespace tabernetes::server {

struct Call {
  Call(Cluster& of, const Request& sent) : cluster(of), request(sent) {}

  Cluster& cluster;
  const Request& request;
  Query query;
  json::Arena arena;
  std::vector<std::string> warnings;  // texts of Warning headers, in order

  // Set by the router for requests to a resource.
  const registry::ResourceType* type = nullptr;
  const schema::Subresource* subresource = nullptr;
  std::string ns, name;

  registry::ObjectRef ref() const { return {type, ns, name}; }
  registry::WriteContext write_context(bool dry_run) {
    return {.arena = arena, .now = cluster.now, .dry_run = dry_run};
  }
};

}  // namespace tabernetes::server
