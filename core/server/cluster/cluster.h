// All parts of a running cluster; the context of verbs that write.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admission/chain.h"
#include "auth/escalation.h"
#include "auth/rbac.h"
#include "base/numbers/entropy.h"
#include "controllers/kubelet/behaviour_reader.h"
#include "controllers/run/control_loops.h"
#include "custom/definition/definitions.h"
#include "custom/definition/metrics_kinds.h"
#include "registry/life/registry.h"
#include "server/aggregation/aggregator.h"
#include "server/aggregation/loop_calls.h"
#include "server/audit/audit_trail.h"
#include "server/cluster/admission_plugins.h"
#include "server/cluster/etcd_form.h"
#include "server/cluster/loop_services.h"
#include "server/cluster/node_port_range.h"
#include "server/containers/container_reader.h"
#include "server/containers/container_world.h"
#include "server/faults/fault_reader.h"
#include "server/faults/faults.h"
#include "server/limits/request_limits.h"
#include "server/pending/deadlines.h"
#include "server/pending/revision_waiters.h"
#include "server/pending/webhook_calls.h"
#include "server/request/audit_ids.h"
#include "server/request/request_log.h"
#include "server/request/request_metrics.h"
#include "server/request/server_context.h"
#include "server/request/written_answer.h"
#include "server/watch/watches.h"
#include "store/store.h"
#include "tabernetes/options.h"

namespace tabernetes::server {

struct Cluster {
  explicit Cluster(Options chosen)
      : server(std::make_shared<const ServerContext>(std::move(chosen))),
        store(store::History::Limits{.age = server->options.watch_history}),
        entropy(server->options.entropy, server->options.seed),
        audit_ids(std::make_shared<AuditIds>(server->options.entropy ? entropy.next()
                                                                     : ~server->options.seed)),
        metrics(std::make_shared<RequestMetrics>()),
        registry(server->built_in, server->gated_fields, store, entropy,
                 measures() ? &registry::custom::definitions_and_metrics()
                            : &registry::custom::definitions()),
        loops(registry, server->options.controllers, server->options.scheduler),
        now(server->options.now),
        limits(limit_settings(), registry, deadlines, now),
        waiting(deadlines) {
    admit();
    serve_loops();
    if (server->options.allow_privileged) registry.allow_privileged();
    store.advance(now);
    set_behaviour(controllers::kubelet::usual_behaviour(server->options.behaviour));
    if (server->options.first_version > 1) {
      store.restore({{}, server->options.first_version});
    }
  }
  // Forks: copies the state and the past, but no watches or waiting requests.
  Cluster(const Cluster& other)
      : server(other.server),
        store(other.store.fork()),
        initial(other.initial),
        asked(other.asked),
        behaviour(other.behaviour),
        containers(other.containers),
        written(other.written),
        faults(other.faults),
        paused(other.paused),
        entropy(other.entropy),
        audit_ids(std::make_shared<AuditIds>(*other.audit_ids)),
        metrics(std::make_shared<RequestMetrics>(*other.metrics)),
        roles(other.roles),
        registry(other.registry, store, entropy),
        loops(other.loops, registry),
        now(other.now),
        limits(other.limits.settings(), registry, deadlines, now),
        waiting(deadlines) {
    admit();
    serve_loops();
  }
  Cluster& operator=(const Cluster&) = delete;
  // Whatever waits no longer has to be told.
  ~Cluster() { limits.close(); }

  // Advances time and runs what becomes due, each control loop at its own time. REQUIRES: `time` >=
  // now.
  void advance(Time time);
  // The same, with all loops at the end of it: see ApiServer::wake().
  void wake(Time time);
  // Returns when advance() will have something to do.
  std::optional<Time> next_deadline() const;
  // Runs the control loops until none reacts any more to what has happened so far, as if a moment
  // without requests had passed.
  void react();

  // What a control loop did at a time.
  struct Step {
    Time time;
    std::string_view loop;  // its name
    std::vector<store::EventPtr> changes;
  };
  // Advances to the next time at which a control loop writes something, and returns what it wrote.
  // Returns nullopt if none does within an hour, which then has passed.
  std::optional<Step> step();
  // Advances until the control loops have only periodic work left, by `most` at most. Returns false
  // if they have more.
  bool settle(Duration most);

  bool uses_rbac() const {
    const std::vector<Authorization>& modes = server->authorization.modes;
    return std::find(modes.begin(), modes.end(), Authorization::kRbac) != modes.end();
  }
  // Returns the authorizer for the current state.
  std::shared_ptr<const auth::Authorizer> authorizer();

  // What reads and watches use beside the settled objects: the resources and the authorizer of that
  // state.
  std::shared_ptr<const registry::ResourceTable> shown_resources() const {
    return shown ? shown->resources : registry.shared_resources();
  }
  std::shared_ptr<const auth::Authorizer> shown_authorizer() {
    return shown ? shown->authorizer : authorizer();
  }

  // Returns true if metrics.k8s.io is served while its APIService exists: the cluster has simulated
  // kubelets.
  bool measures() const { return runs_kubelets(server->options); }
  // Returns true if the garbage collector runs.
  bool collects_garbage() const {
    const std::vector<std::string>& names = server->options.controllers;
    return std::find(names.begin(), names.end(), "garbage-collector-controller") != names.end();
  }
  // Sets the rules by which simulated pods and nodes behave, now and in forks.
  void set_behaviour(std::shared_ptr<const controllers::kubelet::BehaviourRules> rules);

  // Ends the watches of resources that are no longer served.
  void end_obsolete_watches();

  // Drops cached encodings of objects that were replaced or deleted since the last call.
  void forget_replaced();

  // Goes back to the settled state and what belongs to it. REQUIRES: `shown` is set.
  void undo();
  // Lets everything that reads the history read it again from `position` on: what follows is
  // another there, with the same effect.
  void rewind(std::size_t position);

  struct Shown {
    std::shared_ptr<const registry::ResourceTable> resources;
    std::shared_ptr<const auth::Authorizer> authorizer;
  };

  std::shared_ptr<const ServerContext> server;  // shared by forks
  store::Store store;
  store::Snapshot initial;  // the state that reset() restores
  bool asked = false;       // a client may know versions of this cluster
  // Never null.
  std::shared_ptr<const controllers::kubelet::BehaviourRules> behaviour;
  // Never null.
  std::shared_ptr<const ContainerRules> containers = usual_containers(server->options.containers);
  WrittenInContainers written;
  Faults faults{usual_faults(server->options.faults), entropy_of(kFaults)};
  std::shared_ptr<const Auditor> auditor;  // null: nothing is logged. Forks have none
  bool paused = false;  // time stands still until it is moved by hand; hosts obey
  Entropy entropy;
  // Separate, so that reads do not affect which UIDs come next.
  std::shared_ptr<AuditIds> audit_ids;
  std::shared_ptr<RequestMetrics> metrics;  // shared with views
  // Shared with views. That of a fork begins empty.
  std::shared_ptr<RequestLog> requests = std::make_shared<RequestLog>();
  // Shared with authorizers.
  std::shared_ptr<auth::WebhookAsking> asking = std::make_shared<auth::WebhookAsking>();
  admission::Chain admission{chosen_plugins(server->options)};
  auth::Roles roles;
  auth::EscalationGuard guard{admission, roles, [this] { return authorizer(); }};
  registry::Registry registry;
  controllers::ControlLoops loops;
  LoopServices loop_services{*server, behaviour};
  controllers::LoopHost loop_host{
      server->options.sign_certificate, server->options.root_certificate,
      [this](const admission::AccessQuestion& question) { return answer_access(question); },
      server->options.reaches_servers ? &loop_calls : nullptr};
  std::optional<Shown> shown;  // set while a backend stores the changes
  // Why the backend stores nothing at the moment; null: it does. The control loops rest meanwhile.
  std::shared_ptr<const std::string> storage_fault;
  // The control loops rest until the batch under way has an outcome.
  bool rests = false;
  // The storage is shared: requests note how they were answered here.
  bool shared = false;
  std::optional<WrittenAnswer> answered;
  std::optional<EtcdPaths> etcd_paths;  // set while it is shared
  // What values in shared storage have that this server does not know, by key: few have any.
  std::map<std::string, codec::UnknownFields, std::less<>> unknown_fields;
  NodePortRange node_ports;  // of shared storage
  Time now;
  RequestLimits limits;  // forks have requests of their own
  Deadlines deadlines;
  RevisionWaiters waiting;
  json::Arena arena;  // of the current call
  WebhookCalls webhooks{server->options.calls_webhooks, registry, deadlines, now,
                        entropy_of(kWebhooks)};
  Proxies proxies{server->options.reaches_servers};
  Aggregator aggregator{registry, proxies, deadlines, now, measures()};
  LoopCalls loop_calls{
      registry,
      proxies,
      aggregator,
      deadlines,
      now,
      collects_garbage(),
      [this](std::string_view loop, std::string_view key) { loops.on_answers(loop, key, now); }};
  Watches watches{*server, store, deadlines, waiting, webhooks, now, entropy_of(kWatches)};

 private:
  RequestLimits::Settings limit_settings() const {
    return {.by_priority = server->options.priority_and_fairness,
            .reads = server->options.max_requests_inflight,
            .writes = server->options.max_mutating_requests_inflight};
  }
  std::shared_ptr<const auth::Authorizer> authorizer_of(Authorization mode, std::size_t webhook);
  void move_to(Time time);
  void make_default_account(std::string_view ns, Time time);
  admission::AccessAnswer answer_access(const admission::AccessQuestion& question);
  // Runs the reconciliation that is due at `due`, at that time or now. Returns its loop's name.
  std::string_view reconcile_at(Time due);
  void serve_loops() {
    loops.set_token_signer(&loop_services);
    loops.set_host(&loop_host);
    if (measures()) loops.set_pod_usage(&loop_services);
  }
  void admit() {
    const registry::Admission& plugins = admission;
    registry.set_admission(server->allows_everything() ? plugins : guard);
    admission.configure(plugin_settings(server->options));
    admission.set_access_check(
        [this](const admission::AccessQuestion& question) { return answer_access(question); });
    if (makes_accounts(server->options)) {
      admission.set_default_account_maker(
          [this](std::string_view ns, Time time) { make_default_account(ns, time); });
    }
  }

  // The resources served at the last check.
  std::shared_ptr<const registry::ResourceTable> watched_;
  std::size_t forgotten_ = 0;  // history position up to which forget_replaced() has read

  // Separate random sequences.
  static constexpr std::uint64_t kWatches = 0x7761746368, kWebhooks = 0x686f6f6b73,
                                 kFaults = 0x6661756c7473;
  Entropy entropy_of(std::uint64_t whose) const {
    return {server->options.entropy, server->options.seed ^ whose};
  }
};

}  // namespace tabernetes::server
