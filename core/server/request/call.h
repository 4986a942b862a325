// One request on its way through the server.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "auth/authorizer.h"
#include "json/value.h"
#include "registry/registry.h"
#include "server/http/query.h"
#include "server/request/objects.h"
#include "server/request/request_metrics.h"
#include "server/request/surface.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// What every request may read: all of it stays as it is while the request is answered.
struct Reading {
  const Surface& surface;
  const registry::ResourceTable& resources;
  const Objects& objects;
  const auth::Authorizer& authorizer;
  Time now;
  registry::PendingWork* pending = nullptr;
};

struct Call {
  // `memory` is for this call alone until it ends.
  Call(const Reading& reading, const Request& sent, json::Arena& memory)
      : surface(reading.surface),
        resources(reading.resources),
        objects(reading.objects),
        authorizer(reading.authorizer),
        now(reading.now),
        pending(reading.pending),
        request(sent),
        arena(memory) {}

  const Surface& surface;
  const registry::ResourceTable& resources;
  const Objects& objects;
  const auth::Authorizer& authorizer;
  const Time now;
  registry::PendingWork* const pending;  // what it waits for; null: nobody can be asked
  const Request& request;
  json::Arena& arena;
  auth::User user = auth::anonymous_user();  // who asks
  Query query;
  std::optional<Duration> deadline;   // how long the answer may take
  std::vector<std::string> warnings;  // texts of Warning headers, in order

  RequestKind kind;  // for the metrics, once it is known

  // Set by the router for requests to a resource.
  const registry::ResourceType* type = nullptr;
  const schema::Subresource* subresource = nullptr;
  std::string ns, name;

  // Set by a verb whose answer is not the last word.
  bool needs_writer = false;  // there is no answer without the writer
  store::Revision awaits =
      0;  // the answer is for the case that this version is not reached in time

  registry::ObjectRef ref() const { return {type, ns, name}; }
  // What may be asked for: of custom resources less.
  NegotiationOptions negotiation() const;
  // Who writes is named by the option fieldManager, else by the user agent.
  registry::WriteContext write_context(bool dry_run, std::string_view field_manager = {});
};

// Whether the call addresses its object's scale.
bool is_scale(const Call& call);

}  // namespace tabernetes::server
