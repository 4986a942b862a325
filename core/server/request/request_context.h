// The context of a request on its way through the server.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "auth/authorizer.h"
#include "auth/token_authenticator.h"
#include "json/value.h"
#include "registry/life/registry.h"
#include "server/http/query.h"
#include "server/request/objects.h"
#include "server/request/request_metrics.h"
#include "server/request/server_context.h"
#include "tabernetes/http.h"
#include "tabernetes/proxy.h"

namespace tabernetes::controllers::kubelet {
class BehaviourRules;
}

namespace tabernetes::server {

class AuditTrail;
class RequestLimits;
class Ticket;
class WatchCensus;
struct Flow;
struct FlowTable;
class AggregatedApis;

// Where a request notes what its audit events say; null: it is not logged.
struct Audited {
  AuditTrail* trail = nullptr;
  registry::AuditNotes* notes = nullptr;
};

// The limits on requests in flight, as a request meets them.
struct Limited {
  const FlowTable* table = nullptr;      // null: there are none
  RequestLimits* limits = nullptr;       // null in a view
  Ticket* ticket = nullptr;              // null in a view
  const WatchCensus* watches = nullptr;  // null in a view
};

// How the storage behind a cluster is.
struct StorageHealth {
  const std::string* fault = nullptr;  // see Cluster::storage_fault
  bool shared = false;                 // etcd, with its checks
};

// What a request can read; none of it changes while the request is answered.
struct ReadContext {
  const ServerContext& server;
  const registry::ResourceTable& resources;
  const Objects& objects;
  const auth::Authorizer& authorizer;
  const controllers::kubelet::BehaviourRules& behaviour;
  Time now;
  registry::PendingWork* pending = nullptr;
  StorageHealth storage = {};
  Audited audited = {};
  auth::WebhookAsking* asking = nullptr;  // null: no webhook knows tokens
  Limited limited = {};
  const AggregatedApis* aggregated = nullptr;  // null: there are none
};

struct RequestContext {
  // `memory` is used by this call alone until it ends.
  RequestContext(const ReadContext& reading, const Request& sent, json::Arena& memory)
      : server(reading.server),
        resources(reading.resources),
        objects(reading.objects),
        authorizer(reading.authorizer),
        behaviour(reading.behaviour),
        now(reading.now),
        pending(reading.pending),
        storage(reading.storage),
        audited(reading.audited),
        asking(reading.asking),
        limited(reading.limited),
        aggregated(reading.aggregated),
        request(sent),
        arena(memory) {}

  const ServerContext& server;
  const registry::ResourceTable& resources;
  const Objects& objects;
  const auth::Authorizer& authorizer;
  const controllers::kubelet::BehaviourRules& behaviour;  // of simulated pods
  const Time now;
  registry::PendingWork* const pending;  // what it waits for; null if waiting is impossible
  const StorageHealth storage;
  const Audited audited;
  auth::WebhookAsking* const asking;  // see ReadContext
  const Limited limited;
  const AggregatedApis* const aggregated;
  const Request& request;
  json::Arena& arena;
  auth::User user = auth::anonymous_user();  // the authenticated user
  Query query;
  bool long_running = false;          // see is_long_running()
  std::optional<Duration> deadline;   // time limit of the answer
  const Flow* flow = nullptr;         // how it was classified; null: not at all
  int seats = 1;                      // that it takes in a view
  bool unheard_write = false;         // set by views: a write of which no watch hears
  std::string watched;                // the key of a watch in the census; empty: it does not count
  std::vector<std::string> warnings;  // texts of Warning headers, in order

  RequestKind kind;  // for the metrics, once known

  // Set by the router for requests to a resource.
  const registry::ResourceType* type = nullptr;
  const schema::Subresource* subresource = nullptr;
  std::string ns, name;

  // A Secret by whose token the caller is known, if its use is still to be noted.
  std::optional<auth::UsedSecret> used_secret;

  // Set by a handler when another server is to answer.
  std::shared_ptr<ProxyCall> forwarded;

  // Set by a handler when its response is provisional.
  bool needs_writer = false;    // only the writer can answer
  bool waits_for_seat = false;  // its ticket waits
  // If not 0, the response applies only if this version is not reached in time.
  store::Revision waits_for_revision = 0;

  registry::ObjectRef ref() const { return {type, ns, name}; }
  // Returns what can be negotiated; custom resources have fewer options.
  NegotiationOptions negotiation() const;
  // The field manager is the option fieldManager, or else the name of the user agent.
  registry::WriteContext write_context(bool dry_run, std::string_view field_manager = {});
};

// Returns whether the call addresses its object's scale.
bool is_scale(const RequestContext& call);

}  // namespace tabernetes::server
