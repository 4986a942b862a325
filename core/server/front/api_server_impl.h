// What is behind an ApiServer. Its parts: request_flow.cc answers, durable_answers.cc holds answers
// back until what they say is stored, faulty_requests.cc does what rules of faults say,
// control_requests.cc answers the host's control paths.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "admission/webhook_set.h"
#include "server/audit/auditing.h"
#include "server/cluster/bootstrap.h"
#include "server/cluster/cluster.h"
#include "server/cluster/cluster_state.h"
#include "server/cluster/leadership.h"
#include "server/cluster/load.h"
#include "server/cluster/service_ips.h"
#include "server/cluster/stored_state.h"
#include "server/encode/answer.h"
#include "server/faults/faulty_stream.h"
#include "server/front/admin.h"
#include "server/front/commits.h"
#include "server/front/explain.h"
#include "server/front/fault_subject.h"
#include "server/front/live_objects.h"
#include "server/front/router.h"
#include "server/front/routes.h"
#include "server/front/timed_reply.h"
#include "server/front/view.h"
#include "server/http/request_deadline.h"
#include "server/http/websocket.h"
#include "server/verbs/verbs.h"
#include "tabernetes/api_server.h"

namespace tabernetes {

using server::LiveObjects;

// Returns whether the request changes nothing, by its method. It reads settled states alone.
inline bool only_reads(const Request& request) {
  return request.method == "GET" || request.method == "HEAD" || request.method == "OPTIONS";
}

// How often a start is tried.
inline constexpr int kStarts = 10;

class ApiServer::Impl {
 public:
  explicit Impl(Options options) : cluster(std::move(options)) {
    store::Backend* const backend = cluster.server->options.backend.get();
    if (backend != nullptr) {
      cluster.shared = backend->shared();
      cluster.loop_host.storage_expires = cluster.shared;
      if (cluster.shared) cluster.etcd_paths.emplace(cluster.registry.resources());
      const std::string& identity = cluster.server->options.identity;
      if (cluster.shared && !identity.empty()) leadership_.emplace(cluster, identity);
      if (auto stored = backend->take_stored()) server::reopen(cluster, std::move(*stored));
      commits_.emplace(cluster, *backend, [this] { wake_waiting(); });
      begin();
    }
  }
  explicit Impl(const server::Cluster& parent) : cluster(parent), begun_(true) {}

  // Gives a new cluster in memory its first objects, and lets the control loops take their first
  // turn: most of the time of a start, during which a host can already do other things.
  void begin_if_new() {
    if (!begun_) begin();
  }
  std::optional<Time> next_deadline() const {
    return begun_ ? cluster.next_deadline() : std::optional(cluster.now);
  }

  void handle(Request request, Reply reply);
  // Must be called after anything that may have written.
  void wake_waiting() {
    do {
      do {
        if (leadership_) leadership_->look();
        if (!cluster.storage_fault && !cluster.rests) {
          cluster.aggregator.look();
          cluster.loop_calls.look();
          cluster.loops.on_change(cluster.now);
        }
        cluster.waiting.reached(cluster.store.settled_revision());
      } while (commits_ && commits_->step());
    } while (begin_held() || cluster.limits.run_ready());
    cluster.end_obsolete_watches();
    cluster.watches.flush();
    cluster.forget_replaced();
  }
  std::shared_ptr<const View> view();
  void resign() {
    if (!leadership_) return;
    leadership_->resign();
    wake_waiting();
  }
  // Needed when the state may differ although the version is the same.
  void forget_view() { view_.reset(); }
  // Answers a request under /-/tabernetes/ that may be answered.
  Response administer(const Request& request);

  server::Cluster cluster;

 private:
  void begin() {
    begun_ = true;
    // Another server may begin at the same time.
    for (int tries = 0; tries == 0 || (tries < kStarts && commits_ && commits_->lost_some());
         ++tries) {
      const std::size_t history_end = cluster.store.history().end();
      server::create_initial_objects(cluster);
      if (cluster.shared) server::follow_service_ips(cluster, history_end);
      server::mark_initial_state(cluster);
      if (commits_) wake_waiting();
    }
  }

  // Identifies the content of a view.
  struct Shown {
    store::Revision revision = 0, compacted = 0;
    std::uint64_t past_states_made = 0;
    std::shared_ptr<const std::string> storage_fault = nullptr;
    std::shared_ptr<const server::AggregatedApis> aggregated = nullptr;
    friend bool operator==(const Shown&, const Shown&) = default;
  };

  // How often a request was done again.
  struct Tries {
    int conflicts = 0;   // because of others
    bool fresh = false;  // the state has everything that was stored when the request came
    std::shared_ptr<server::TimedReply> reply = nullptr;  // set with shared storage
    std::shared_ptr<server::AuditTrail> trail = nullptr;  // set if requests are logged
    std::shared_ptr<server::Ticket> ticket = nullptr;     // at the limits, once it is asked
    std::string fault = {};                               // what a rule of faults does to it

    // Returns whether the request is tried only to say what would happen.
    bool explains() const { return trail && trail->explanation() != nullptr; }
    // Returns whether the client has got its answer, as it came to its deadline.
    bool late() const { return reply && reply->given(); }
  };

  // A request that waits.
  struct Asked {
    Request request;
    Reply reply;
    Time begun;                // when the request arrived
    std::uint64_t seed = 0;    // see route()
    bool patient = true;       // has not waited for its version yet
    bool out_of_time = false;  // reached its deadline
    Tries tries;
    registry::PendingWork pending;
  };

  // A request that is done, except that what it has written or read may not be durable yet.
  struct Done {
    Request request;
    Reply reply;
    Time begun;
    server::Routed routed;
    store::Revision before = 0, after = 0;  // of the store: it has written what is between
    bool repeatable = true;                 // may be done again, as nobody knows of the first time
    Tries tries = {};
    std::optional<server::WrittenAnswer> written = std::nullopt;  // with shared storage

    bool wrote() const { return after != before; }
  };

  // One attempt to answer. `begun`: when the request arrived. A request that may have to wait is
  // run again from the beginning once its answers have arrived, and must behave the same until
  // then: so it draws random numbers from its `own` sequence.
  struct Attempt {
    const Request& request;
    Time begun;
    Entropy* own = nullptr;                    // null: waits for nothing
    registry::PendingWork* pending = nullptr;  // null if `own` is
    server::AuditTrail* trail = nullptr;       // see Tries
    server::Ticket* ticket = nullptr;          // see Tries
    store::Revision before = 0, after = 0;     // set by route(): see Done

    bool wrote() const { return after != before; }
  };
  server::Routed route(Attempt& attempt);
  bool may_call_webhooks(const Request& request) const;
  void answer_later(const std::shared_ptr<Asked>& asked, const server::Routed& routed);
  void answer_again(const std::shared_ptr<Asked>& asked);
  void handle_admin(Request request, Reply reply);
  std::optional<Response> refuse_control(const Request& request);
  std::optional<Response> refuse_admin(const Request& request);
  Response answer_admin(const Request& request);
  void explain(const Request& asking, Reply reply);
  void begin(Request request, Reply reply, Tries tries);
  void wait_for_seat(Request request, Reply reply, const Tries& tries);
  bool take_seat(const Request& request, const Tries& tries);
  void meet_faults(Request request, Reply reply);
  void strike(Request request, Reply reply, const server::FaultSubject& subject,
              const server::FaultAct& act, Tries tries);
  Reply spoiling(Reply reply, const server::FaultSubject& subject, const server::FaultAct& act);
  server::ReadContext settled_state(const LiveObjects& objects,
                                    const registry::ResourceTable& resources,
                                    const auth::Authorizer& authorizer);
  void handle(Request request, Reply reply, Tries tries);
  bool begin_held();
  bool must_catch_up(const Done& done) const;
  void catch_up(Request request, Reply reply, Tries tries);
  void number_answer(const Done& done, Response& response);
  void finish(Done done);
  void meet_fate(const std::shared_ptr<Done>& done, server::Commits::Fate fate);
  void deliver(const Done& done, server::Routed routed);
  void forward(Done done);

  bool begun_ = false;  // see begin_if_new()
  std::uint64_t past_states_made_ = 0;
  std::shared_ptr<const View> view_;        // the last one made
  Shown shown_;                             // the content of view_
  std::optional<server::Commits> commits_;  // none without a backend
  std::optional<server::Leadership> leadership_;
  // What would write, while nothing may be written.
  std::deque<std::function<void()>> held_;
};

}  // namespace tabernetes
