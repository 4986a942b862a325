#include "tabernetes/api_server.h"

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
#include "server/front/router.h"
#include "server/front/routes.h"
#include "server/front/timed_reply.h"
#include "server/front/view.h"
#include "server/http/request_deadline.h"
#include "server/http/websocket.h"
#include "server/verbs/verbs.h"

namespace tabernetes {
namespace {

// Returns the newest revision that is no tentative one.
store::Revision known_revision(const store::Store& store) {
  const store::Revision newest = store.revision();
  return newest < store::kFirstTentative ? newest : store.settled_revision();
}

// The store itself, to be read between two changes.
class LiveObjects final : public server::Objects {
 public:
  enum class State { kSettled, kNewest };

  // Increments `past_states_made` for past states that the store made and now caches.
  LiveObjects(const store::Store& store, State state, std::uint64_t& past_states_made)
      : store_(store),
        tree_(state == State::kSettled ? store.settled_tree() : store.tree()),
        revision_(state == State::kSettled ? store.settled_revision() : known_revision(store)),
        past_states_made_(past_states_made) {}

  const store::Tree& tree() const override { return tree_; }
  store::Revision revision() const override { return revision_; }
  tl::expected<store::Snapshot, Missing> at(store::Revision revision) const override {
    auto state = store_.snapshot_at(revision);
    if (!state) return tl::make_unexpected(Missing::kCompacted);
    if (revision != revision_) ++past_states_made_;
    return std::move(*state);
  }

 private:
  const store::Store& store_;
  const store::Tree& tree_;
  const store::Revision revision_;
  std::uint64_t& past_states_made_;
};

// Returns whether the request changes nothing, by its method. It reads settled states alone.
bool only_reads(const Request& request) {
  return request.method == "GET" || request.method == "HEAD" || request.method == "OPTIONS";
}

// Returns false only for targets that are no connection to a pod, a service or a node.
bool may_connect(std::string_view target) {
  for (const std::string_view part : {"/proxy", "/exec", "/attach", "/portforward"}) {
    if (target.find(part) != std::string_view::npos) return true;
  }
  return false;
}

Response answer_not_stored(const Request& request, std::string_view why) {
  const std::size_t mark = std::min(request.target.find('?'), request.target.size());
  const server::Query query = server::Query::parse(
      std::string_view(request.target).substr(std::min(mark + 1, request.target.size())));
  return server::answer_error(
      request, query, errors::plain_error("the change was not stored: " + std::string(why)));
}

// How often a request is done again because others have changed the store. Each time somebody else
// has made progress.
constexpr int kMostConflicts = 100;
constexpr int kStarts = 10;

}  // namespace

class ApiServer::Impl {
 public:
  explicit Impl(Options options) : cluster(std::move(options)) {
    store::Backend* const backend = cluster.server->options.backend.get();
    if (backend != nullptr) {
      cluster.shared = backend->shared();
      if (cluster.shared) cluster.etcd_paths.emplace(cluster.registry.resources());
      const std::string& identity = cluster.server->options.identity;
      if (cluster.shared && !identity.empty()) leadership_.emplace(cluster, identity);
      if (auto stored = backend->take_stored()) server::reopen(cluster, std::move(*stored));
      commits_.emplace(cluster, *backend, [this] { wake_waiting(); });
    }
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
  explicit Impl(const server::Cluster& parent) : cluster(parent) {}

  void handle(Request request, Reply reply);
  // Must be called after anything that may have written.
  void wake_waiting() {
    do {
      do {
        if (leadership_) leadership_->look();
        if (!cluster.storage_fault && !cluster.rests) {
          cluster.aggregator.look();
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
  // Identifies the content of a view.
  struct Shown {
    store::Revision revision = 0, compacted = 0;
    std::uint64_t past_states_made = 0;
    std::shared_ptr<const std::string> storage_fault = nullptr;
    std::shared_ptr<const server::AggregatedParts> aggregated = nullptr;
    friend bool operator==(const Shown&, const Shown&) = default;
  };

  // How often a request was done again.
  struct Tries {
    int conflicts = 0;   // because of others
    bool fresh = false;  // the state has everything that was stored when the request came
    std::shared_ptr<server::TimedReply> reply = nullptr;  // set with shared storage
    std::shared_ptr<server::AuditTrail> trail = nullptr;  // set if requests are logged
    std::shared_ptr<server::Ticket> ticket = nullptr;     // at the limits, once it is asked

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

  std::uint64_t past_states_made_ = 0;
  std::shared_ptr<const View> view_;        // the last one made
  Shown shown_;                             // the content of view_
  std::optional<server::Commits> commits_;  // none without a backend
  std::optional<server::Leadership> leadership_;
  // What would write, while nothing may be written.
  std::deque<std::function<void()>> held_;
};

// Returns what can be read of the settled state, beside its `objects`.
server::ReadContext ApiServer::Impl::settled_state(const LiveObjects& objects,
                                                   const registry::ResourceTable& resources,
                                                   const auth::Authorizer& authorizer) {
  return {.server = *cluster.server,
          .resources = resources,
          .objects = objects,
          .authorizer = authorizer,
          .behaviour = *cluster.behaviour,
          .now = cluster.now};
}

server::Routed ApiServer::Impl::route(Attempt& attempt) {
  const bool reads = only_reads(attempt.request);
  const LiveObjects objects(cluster.store,
                            reads ? LiveObjects::State::kSettled : LiveObjects::State::kNewest,
                            past_states_made_);
  // Keeps the table alive, as a write may replace it meanwhile.
  const auto resources = reads ? cluster.shown_resources() : cluster.registry.shared_resources();
  const auto authorizer = reads ? cluster.shown_authorizer() : cluster.authorizer();
  const auto limits = cluster.limits.table(cluster.store);
  const server::ReadContext reading{.server = *cluster.server,
                                    .resources = *resources,
                                    .objects = objects,
                                    .authorizer = *authorizer,
                                    .behaviour = *cluster.behaviour,
                                    .now = attempt.begun,
                                    .pending = attempt.pending,
                                    .storage = {cluster.storage_fault.get(), cluster.shared},
                                    .audited = server::attempt_of(attempt.trail),
                                    .asking = cluster.asking.get(),
                                    .limited = {limits.get(), &cluster.limits, attempt.ticket},
                                    .aggregated = cluster.aggregator.parts().get()};
  if (cluster.shared && !reads) server::reserve_node_ports(cluster);
  attempt.before = cluster.store.revision();
  cluster.answered.reset();
  cluster.asking->pending = attempt.pending;
  const std::size_t history_end = cluster.store.history().end();
  const auto follow = [&] {
    if (cluster.shared && cluster.store.revision() != attempt.before) {
      server::follow_service_ips(cluster, history_end);
    }
    attempt.after = cluster.store.revision();
    cluster.asking->pending = nullptr;
  };
  if (attempt.own == nullptr) {
    server::Routed routed = server::route(reading, &cluster, attempt.request);
    follow();
    return routed;
  }
  std::swap(cluster.entropy, *attempt.own);
  attempt.pending->begin();
  server::Routed routed = server::route(reading, &cluster, attempt.request);
  std::swap(cluster.entropy, *attempt.own);
  follow();
  // A request that has written must not be run again.
  if (attempt.wrote()) attempt.pending->drop_questions();
  return routed;
}

// Answers when everything that the request may have seen is durable.
void ApiServer::Impl::finish(Done done) {
  if (done.routed.forwarded) return forward(std::move(done));
  if (commits_ && done.wrote()) commits_->note_request(done.before, done.after);
  if (must_catch_up(done)) {
    return catch_up(std::move(done.request), std::move(done.reply), done.tries);
  }
  done.written = std::exchange(cluster.answered, std::nullopt);
  if (!commits_ || only_reads(done.request) || !commits_->behind()) {
    server::Routed routed = std::move(done.routed);
    return deliver(done, std::move(routed));
  }
  auto waits = std::make_shared<Done>(std::move(done));
  commits_->wait([this, waits](server::Commits::Fate fate) { meet_fate(waits, fate); });
}

void ApiServer::Impl::meet_fate(const std::shared_ptr<Done>& done, server::Commits::Fate fate) {
  using Fate = server::Commits::Fate;
  if (done->tries.late()) return;
  if (fate == Fate::kDurable && cluster.shared) {
    // What has not written may have seen changes of the batch that were not stored.
    const bool stands = done->wrote() ? commits_->renumbered().stored(done->before, done->after)
                                      : !commits_->lost_some();
    if (stands) {
      number_answer(*done, done->routed.response);
    } else {
      fate = Fate::kConflict;
    }
  }
  if (fate == Fate::kDurable) return deliver(*done, std::move(done->routed));
  const bool conflict = fate == Fate::kConflict;
  const bool again = conflict ? done->tries.conflicts < kMostConflicts : !done->wrote();
  if (again && done->repeatable) {
    Tries tries = done->tries;
    tries.conflicts += conflict ? 1 : 0;
    return handle(std::move(done->request), std::move(done->reply), tries);
  }
  server::Routed failed{.response = {}, .kind = done->routed.kind};
  failed.response = answer_not_stored(
      done->request, conflict ? "others changed the store meanwhile" : *cluster.storage_fault);
  cluster.server->cors.add_headers(done->request, failed.response);
  deliver(*done, std::move(failed));
}

// Makes the answer of a request that has written again, with the versions that shared storage has
// given.
void ApiServer::Impl::number_answer(const Done& done, Response& response) {
  if (!done.written) return;
  const server::Renumbered& renumbered = commits_->renumbered();
  const server::WrittenAnswer& written = *done.written;
  const auto* record = renumbered.find(written.record->revision);
  const auto* shown = renumbered.find(written.shown);
  if (record == nullptr && shown == nullptr) return;
  const LiveObjects objects(cluster.store, LiveObjects::State::kSettled, past_states_made_);
  const server::ReadContext reading{.server = *cluster.server,
                                    .resources = *cluster.shown_resources(),
                                    .objects = objects,
                                    .authorizer = *cluster.shown_authorizer(),
                                    .behaviour = *cluster.behaviour,
                                    .now = done.begun};
  std::optional<Response> again =
      server::answer_again(reading, done.request, written,
                           record != nullptr && record->record ? record->record : written.record,
                           shown != nullptr ? shown->revision : written.shown);
  if (again) response.body = std::move(again->body);
}

// Returns whether what the request has seen may be older than what is stored. What it has written
// was compared with that.
bool ApiServer::Impl::must_catch_up(const Done& done) const {
  return cluster.shared && done.repeatable && !done.tries.fresh && !done.wrote() &&
         !only_reads(done.request) &&
         server::asks_for_newest(cluster.registry.resources(), done.request);
}

// Does a request again when all that is stored now is known.
void ApiServer::Impl::catch_up(Request request, Reply reply, Tries tries) {
  tries.fresh = true;
  auto waits = std::make_shared<Done>(Done{.request = std::move(request),
                                           .reply = std::move(reply),
                                           .begun = cluster.now,
                                           .routed = {},
                                           .tries = tries});
  commits_->catch_up([this, waits](const std::optional<Fault>& fault) {
    if (!fault) {
      return handle(std::move(waits->request), std::move(waits->reply), waits->tries);
    }
    waits->routed.response =
        server::answer_error(waits->request, server::Query(), errors::plain_error(fault->message));
    cluster.server->cors.add_headers(waits->request, waits->routed.response);
    deliver(*waits, std::move(waits->routed));
  });
}

// Begins what was held, if that may be. Returns whether there was any.
bool ApiServer::Impl::begin_held() {
  if (held_.empty() || commits_->holds()) return false;
  for (const std::function<void()>& begin : std::exchange(held_, {})) begin();
  return true;
}

void ApiServer::Impl::deliver(const Done& done, server::Routed routed) {
  Response& response = routed.response;
  if (done.tries.ticket) done.tries.ticket->leave();
  // Requests to the host's control paths are not repeatable, nor counted.
  if (done.repeatable) {
    cluster.metrics->count(routed.kind, response.status, response.body.size(),
                           cluster.now - done.begun);
    if (!done.tries.trail) server::add_audit_id(done.request, *cluster.audit_ids, response);
  }
  if (response.stream && response.status != 101 && server::is_websocket_request(done.request)) {
    response = server::answer_websocket(done.request, std::move(response));
  }
  if (done.tries.trail) server::finish_trail(done.tries.trail, response, cluster.now);
  done.reply(std::move(response));
}

// Has another server answer.
void ApiServer::Impl::forward(Done done) {
  auto waits = std::make_shared<Done>(std::move(done));
  ProxyCall call = std::move(*waits->routed.forwarded);
  cluster.proxies.send(
      std::move(call), [this, waits](ProxyAnswer answer, std::unique_ptr<Stream> body) {
        waits->routed.response = server::answer_of(std::move(answer), std::move(body));
        cluster.server->cors.add_headers(waits->request, waits->routed.response);
        deliver(*waits, std::move(waits->routed));
      });
}

void ApiServer::Impl::handle_admin(Request request, Reply reply) {
  if (commits_ && commits_->holds()) {
    auto held = std::make_shared<std::pair<Request, Reply>>(std::move(request), std::move(reply));
    held_.push_back(
        [this, held] { handle_admin(std::move(held->first), std::move(held->second)); });
    return;
  }
  const store::Revision before = cluster.store.revision();
  server::Routed routed{.response = answer_admin(request), .kind = {}};
  finish({.request = std::move(request),
          .reply = std::move(reply),
          .begun = cluster.now,
          .routed = std::move(routed),
          .before = before,
          .after = cluster.store.revision(),
          .repeatable = false});
}

// Returns the refusal of a caller that may not control the cluster. Everybody may where everything
// is allowed.
std::optional<Response> ApiServer::Impl::refuse_control(const Request& request) {
  if (cluster.server->allows_everything()) return std::nullopt;
  const LiveObjects objects(cluster.store, LiveObjects::State::kSettled, past_states_made_);
  const auto resources = cluster.shown_resources();
  const auto authorizer = cluster.shown_authorizer();
  return server::refuse_control(settled_state(objects, *resources, *authorizer), request);
}

std::optional<Response> ApiServer::Impl::refuse_admin(const Request& request) {
  std::optional<Response> response = cluster.server->cors.answer_preflight(request);
  return response ? std::move(response) : refuse_control(request);
}

Response ApiServer::Impl::administer(const Request& request) {
  const LiveObjects objects(cluster.store, LiveObjects::State::kSettled, past_states_made_);
  const auto resources = cluster.shown_resources();
  const auto authorizer = cluster.shown_authorizer();
  Response response =
      server::answer_admin(cluster, settled_state(objects, *resources, *authorizer), request);
  forget_view();
  return response;
}

Response ApiServer::Impl::answer_admin(const Request& request) {
  std::optional<Response> response = refuse_admin(request);
  if (!response) response = administer(request);
  cluster.server->cors.add_headers(request, *response);
  return std::move(*response);
}

// Tries the request that another one describes, and answers with what led to its answer.
void ApiServer::Impl::explain(const Request& asking, Reply reply) {
  const auto answer = [this, asking, reply = std::move(reply)](Response response) {
    cluster.server->cors.add_headers(asking, response);
    reply(std::move(response));
  };
  if (auto refusal = refuse_admin(asking)) return answer(std::move(*refusal));
  Result<Request> request = server::request_to_explain(asking);
  if (!request) return answer(server::answer_error(asking, server::Query(), request.error()));
  const auto trail = server::explaining_trail(*request, cluster.now, cluster.audit_ids);
  handle(std::move(*request),
         [answer, trail](const Response& explained) {
           answer(server::answer_explained(*trail, explained));
         },
         {.trail = trail});
}

void ApiServer::Impl::handle(Request request, Reply reply) {
  if (cluster.server->options.admin && server::is_admin_path(request.target)) {
    if (server::asks_for_explanation(request)) return explain(request, std::move(reply));
    return handle_admin(std::move(request), std::move(reply));
  }
  if (cluster.faults.any()) return meet_faults(std::move(request), std::move(reply));
  begin(std::move(request), std::move(reply), Tries());
}

// Answers a request for the first time.
void ApiServer::Impl::begin(Request request, Reply reply, Tries tries) {
  if (!cluster.shared) return handle(std::move(request), std::move(reply), std::move(tries));
  const auto timed = std::make_shared<server::TimedReply>(cluster, request, std::move(reply));
  tries.reply = timed;
  handle(
      std::move(request), [timed](Response response) { timed->give(std::move(response)); },
      std::move(tries));
  timed->wait();
}

// Answers a request while there are rules of faults.
void ApiServer::Impl::meet_faults(Request request, Reply reply) {
  const LiveObjects objects(cluster.store, LiveObjects::State::kSettled, past_states_made_);
  server::FaultSubject subject = server::fault_subject(
      settled_state(objects, *cluster.shown_resources(), *cluster.shown_authorizer()), request);
  const std::optional<server::FaultAct> act = cluster.faults.meet(subject);
  if (!act) return begin(std::move(request), std::move(reply), Tries());
  if (act->delay_from == Duration{}) {
    return strike(std::move(request), std::move(reply), subject, *act, Tries());
  }
  struct Delayed {
    Request request;
    Reply reply;
    server::FaultSubject subject;
    server::FaultAct act;
    Tries tries;
  };
  // It is in flight while it is delayed.
  const Tries tries{.ticket = std::make_shared<server::Ticket>(cluster.limits)};
  const bool waits = take_seat(request, tries);
  auto delayed = std::make_shared<Delayed>(
      Delayed{std::move(request), std::move(reply), std::move(subject), *act, tries});
  const auto delay = [this, delayed] {
    if (delayed->tries.ticket->state() == server::Ticket::State::kRefused) {
      return begin(std::move(delayed->request), std::move(delayed->reply), delayed->tries);
    }
    cluster.deadlines.add(cluster.now + delayed->act.delay_from, [this, delayed] {
      strike(std::move(delayed->request), std::move(delayed->reply), delayed->subject, delayed->act,
             delayed->tries);
    });
  };
  if (!waits) return delay();
  cluster.limits.when_ready(*tries.ticket, delay);
}

// Lets a request in at the limits. Returns whether it waits for that.
bool ApiServer::Impl::take_seat(const Request& request, const Tries& tries) {
  const LiveObjects objects(cluster.store, LiveObjects::State::kSettled, past_states_made_);
  const auto limits = cluster.limits.table(cluster.store);
  const auto resources = cluster.shown_resources();
  const auto authorizer = cluster.shown_authorizer();
  server::take_seat({.server = *cluster.server,
                     .resources = *resources,
                     .objects = objects,
                     .authorizer = *authorizer,
                     .behaviour = *cluster.behaviour,
                     .now = cluster.now,
                     .limited = {limits.get(), &cluster.limits, tries.ticket.get()}},
                    request);
  return tries.ticket->state() == server::Ticket::State::kWaits;
}

// Does to a request what a rule says, after its delay.
void ApiServer::Impl::strike(Request request, Reply reply, const server::FaultSubject& subject,
                             const server::FaultAct& act, Tries tries) {
  if (act.connection == server::ConnectionFault::kClose) return reply(Response{.lost = true});
  Reply spoil = spoiling(std::move(reply), subject, act);
  if (!act.status) return begin(std::move(request), std::move(spoil), std::move(tries));
  Response response = server::answer_error(request, server::Query(), *act.status);
  cluster.server->cors.add_headers(request, response);
  server::add_audit_id(request, *cluster.audit_ids, response);
  spoil(std::move(response));
}

// Returns a reply that does to the answer what a rule says.
Reply ApiServer::Impl::spoiling(Reply reply, const server::FaultSubject& subject,
                                const server::FaultAct& act) {
  using server::ConnectionFault;
  if (act.connection == ConnectionFault::kNone && !act.watch && !act.body) return reply;
  return [this, reply = std::move(reply), subject, act](Response response) {
    if (act.connection == ConnectionFault::kLose) return reply(Response{.lost = true});
    if (act.watch && subject.verb == "watch") {
      const LiveObjects objects(cluster.store, LiveObjects::State::kSettled, past_states_made_);
      server::spoil_watch(*act.watch,
                          server::gone_event(settled_state(objects, *cluster.shown_resources(),
                                                           *cluster.shown_authorizer()),
                                             subject, response),
                          response);
    }
    if (act.body && response.status != 101) server::spoil_body(*act.body, response);
    reply(std::move(response));
  };
}

void ApiServer::Impl::handle(Request request, Reply reply, Tries tries) {
  cluster.asked = true;
  if (!tries.trail) {
    tries.trail = server::make_trail(cluster.auditor, request, cluster.now, cluster.audit_ids);
  }
  if (tries.late()) return;
  if (!tries.ticket) tries.ticket = std::make_shared<server::Ticket>(cluster.limits);
  if (cluster.shared) {
    const bool reads = only_reads(request);
    if (reads && !tries.fresh && server::asks_for_newest(*cluster.shown_resources(), request)) {
      return catch_up(std::move(request), std::move(reply), tries);
    }
    if (!reads && commits_->holds()) {
      auto held = std::make_shared<std::pair<Request, Reply>>(std::move(request), std::move(reply));
      held_.push_back(
          [this, held, tries] { handle(std::move(held->first), std::move(held->second), tries); });
      return;
    }
  }
  std::optional<Entropy> rest;
  if (may_call_webhooks(request)) rest = cluster.entropy;
  const std::uint64_t seed = rest ? rest->next() | 1 : 0;
  Entropy own({}, seed);
  registry::PendingWork pending;
  Attempt attempt =
      seed == 0 ? Attempt{request, cluster.now} : Attempt{request, cluster.now, &own, &pending};
  attempt.trail = tries.trail.get();
  attempt.ticket = tries.ticket.get();
  server::Routed routed = route(attempt);
  if (routed.waits_for_seat) return wait_for_seat(std::move(request), std::move(reply), tries);
  const bool lacks = pending.incomplete();
  // Consumes the seed, unless no random number was drawn: a view may then have answered as well.
  if (seed != 0 && (lacks || own.place() != seed)) cluster.entropy = std::move(*rest);
  if (!lacks && routed.waits_for_revision == 0) {
    return finish({.request = std::move(request),
                   .reply = std::move(reply),
                   .begun = cluster.now,
                   .routed = std::move(routed),
                   .before = attempt.before,
                   .after = attempt.after,
                   .tries = tries});
  }
  auto asked = std::make_shared<Asked>();
  *asked = {.request = std::move(request),
            .reply = std::move(reply),
            .begun = cluster.now,
            .seed = seed,
            .tries = tries,
            .pending = std::move(pending)};
  answer_later(asked, routed);
}

// Answers once the request has a seat or is refused one.
void ApiServer::Impl::wait_for_seat(Request request, Reply reply, const Tries& tries) {
  if (tries.trail) tries.trail->write_received();
  auto waits = std::make_shared<std::pair<Request, Reply>>(std::move(request), std::move(reply));
  cluster.limits.when_ready(*tries.ticket, [this, waits, tries] {
    handle(std::move(waits->first), std::move(waits->second), tries);
  });
}

// Returns whether the request may ask webhooks about its sender or admission webhooks, or is for a
// custom resource with a conversion webhook.
bool ApiServer::Impl::may_call_webhooks(const Request& request) const {
  const std::string_view target = request.target;
  if (cluster.server->asks_about_callers()) return true;
  if ((!only_reads(request) || may_connect(target)) && admission::has_webhooks(cluster.registry)) {
    return true;
  }
  for (const auto& kind : cluster.registry.resources().defined()) {
    if (!kind->storage_type().behaviour->may_need_webhook() || !target.starts_with("/apis/"))
      continue;
    if (target.substr(6).starts_with(kind->group())) return true;
  }
  return false;
}

// Waits for webhooks or, if there are none, for the version that `routed` waits for.
void ApiServer::Impl::answer_later(const std::shared_ptr<Asked>& asked,
                                   const server::Routed& routed) {
  if (asked->tries.trail) asked->tries.trail->write_received();
  if (asked->pending.incomplete()) {
    cluster.webhooks.ask(asked->pending, [this, asked] { answer_again(asked); });
    return;
  }
  if (cluster.shared) commits_->catch_up([](const std::optional<Fault>&) {});
  const Duration patience = cluster.server->options.freshness_wait;
  const bool hurried = routed.deadline && *routed.deadline < patience;
  const Time until = cluster.now + (hurried ? *routed.deadline : patience);
  asked->patient = false;
  cluster.waiting.add(routed.waits_for_revision, until, [this, hurried, asked](bool reached) {
    asked->out_of_time = hurried && !reached;
    answer_again(asked);
  });
}

void ApiServer::Impl::answer_again(const std::shared_ptr<Asked>& asked) {
  if (commits_ && commits_->holds()) {
    held_.push_back([this, asked] { answer_again(asked); });
    return;
  }
  if (asked->tries.late()) return;
  Entropy own({}, asked->seed);
  Attempt attempt = asked->seed == 0 ? Attempt{asked->request, asked->begun}
                                     : Attempt{asked->request, asked->begun, &own, &asked->pending};
  attempt.trail = asked->tries.trail.get();
  attempt.ticket = asked->tries.ticket.get();
  server::Routed again = route(attempt);
  const bool lacks = asked->pending.incomplete();
  const Duration taken = cluster.now - asked->begun;
  const bool late = asked->out_of_time || (lacks && again.deadline && *again.deadline < taken);
  if (!late && (lacks || (asked->patient && again.waits_for_revision != 0))) {
    return answer_later(asked, again);
  }
  if (late) again.response = server::answer_out_of_time();
  finish({.request = std::move(asked->request),
          .reply = std::move(asked->reply),
          .begun = asked->begun,
          .routed = std::move(again),
          .before = attempt.before,
          .after = attempt.after,
          .tries = asked->tries});
}

std::shared_ptr<const View> ApiServer::Impl::view() {
  cluster.asked = true;
  const Shown now{cluster.store.settled_revision(), cluster.store.compacted_revision(),
                  past_states_made_, cluster.storage_fault, cluster.aggregator.parts()};
  if (!view_ || shown_ != now) {
    view_ = server::make_view(cluster);
    shown_ = now;
  }
  return view_;
}

ApiServer::ApiServer(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
ApiServer::ApiServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ApiServer::~ApiServer() = default;

void ApiServer::handle(Request request, Reply reply) {
  impl_->handle(std::move(request), std::move(reply));
  impl_->wake_waiting();
}

void ApiServer::advance(Time now) {
  impl_->cluster.advance(std::max(impl_->cluster.now, now));
  impl_->wake_waiting();
}

void ApiServer::wake(Time now) {
  impl_->cluster.wake(std::max(impl_->cluster.now, now));
  impl_->wake_waiting();
}

std::vector<WebhookCall> ApiServer::take_webhook_calls() {
  return impl_->cluster.webhooks.take_calls();
}

void ApiServer::answer_webhook(std::uint64_t id, const WebhookAnswer& answer) {
  impl_->cluster.webhooks.answer(id, answer);
  impl_->wake_waiting();
}

std::vector<ProxyCall> ApiServer::take_proxy_calls() { return impl_->cluster.proxies.take_calls(); }

std::vector<std::uint64_t> ApiServer::take_abandoned_proxy_calls() {
  return impl_->cluster.proxies.take_abandoned();
}

void ApiServer::answer_proxy(std::uint64_t id, ProxyAnswer answer) {
  impl_->cluster.proxies.answer(id, std::move(answer));
  impl_->wake_waiting();
}

void ApiServer::continue_proxy_answer(std::uint64_t id, std::string bytes, ProxiedBody state) {
  impl_->cluster.proxies.go_on(id, std::move(bytes), state);
}

std::optional<Time> ApiServer::next_deadline() const { return impl_->cluster.next_deadline(); }

std::vector<LoadFault> ApiServer::load(std::string_view manifest) {
  if (impl_->cluster.shared) server::reserve_node_ports(impl_->cluster);
  std::vector<LoadFault> faults = server::load_manifest(impl_->cluster, manifest);
  impl_->wake_waiting();
  return faults;
}

void ApiServer::mark_initial_state() {
  server::mark_initial_state(impl_->cluster);
  impl_->wake_waiting();
}

void ApiServer::reset() {
  server::reset(impl_->cluster);
  impl_->wake_waiting();
}

std::unique_ptr<ApiServer> ApiServer::fork() const {
  // Not make_unique: the constructor is private.
  return std::unique_ptr<ApiServer>(new ApiServer(std::make_unique<Impl>(impl_->cluster)));
}

std::string ApiServer::snapshot() const { return server::save(impl_->cluster).flatten(); }

Expected<void> ApiServer::restore(std::string_view document) {
  Expected<void> done = server::restore(impl_->cluster, document);
  impl_->forget_view();
  impl_->wake_waiting();
  return done;
}

Expected<void> ApiServer::compact(std::string_view resource_version) {
  return server::compact(impl_->cluster, resource_version);
}

void ApiServer::resign() { impl_->resign(); }

std::shared_ptr<const View> ApiServer::view() { return impl_->view(); }

Time ApiServer::time() const { return impl_->cluster.now; }

Expected<void> ApiServer::set_audit_log(AuditLog log) {
  auto auditor = server::make_auditor(std::move(log));
  if (!auditor) return std::move(auditor).fault();
  impl_->cluster.auditor = std::move(*auditor);
  impl_->forget_view();
  return {};
}

bool ApiServer::paused() const { return impl_->cluster.paused; }

Response ApiServer::administer(const Request& request) {
  Response response = impl_->administer(request);
  impl_->wake_waiting();
  return response;
}

}  // namespace tabernetes
