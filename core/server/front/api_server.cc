#include "tabernetes/api_server.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "server/cluster/bootstrap.h"
#include "server/cluster/cluster.h"
#include "server/cluster/cluster_state.h"
#include "server/cluster/load.h"
#include "server/front/admin.h"
#include "server/front/router.h"
#include "server/front/view.h"
#include "server/http/request_deadline.h"
#include "server/http/websocket.h"

namespace tabernetes {
namespace {

// The store itself, to be read between two changes.
class LiveObjects final : public server::Objects {
 public:
  // Increments `past_states_made` for past states that the store made and now caches.
  LiveObjects(const store::Store& store, std::uint64_t& past_states_made)
      : store_(store), past_states_made_(past_states_made) {}

  const store::Tree& tree() const override { return store_.tree(); }
  store::Revision revision() const override { return store_.revision(); }
  tl::expected<store::Snapshot, Missing> at(store::Revision revision) const override {
    auto state = store_.snapshot_at(revision);
    if (!state) return tl::make_unexpected(Missing::kCompacted);
    if (revision != store_.revision()) ++past_states_made_;
    return std::move(*state);
  }

 private:
  const store::Store& store_;
  std::uint64_t& past_states_made_;
};

}  // namespace

class ApiServer::Impl {
 public:
  explicit Impl(Options options) : cluster(std::move(options)) {
    server::create_initial_objects(cluster);
    server::mark_initial_state(cluster);
  }
  explicit Impl(const server::Cluster& parent) : cluster(parent) {}

  void handle(Request request, Reply reply);
  // Must be called after anything that may have written.
  void wake_waiting() {
    cluster.loops.on_change(cluster.now);
    cluster.waiting.reached(cluster.store.revision());
    cluster.end_obsolete_watches();
    cluster.watches.flush();
    cluster.forget_replaced();
  }
  std::shared_ptr<const View> view();
  // Needed when the state may differ although the version is the same.
  void forget_view() { view_.reset(); }

  server::Cluster cluster;

 private:
  // Identifies the content of a view.
  struct Shown {
    store::Revision revision = 0, compacted = 0;
    std::uint64_t past_states_made = 0;
    friend bool operator==(const Shown&, const Shown&) = default;
  };

  // A request that waits.
  struct Asked {
    Request request;
    Reply reply;
    Time begun;                // when the request arrived
    std::uint64_t seed = 0;    // see route()
    bool patient = true;       // has not waited for its version yet
    bool out_of_time = false;  // reached its deadline
    registry::PendingWork pending;
  };

  // One attempt to answer. `begun`: when the request arrived. A request that may have to wait is
  // run again from the beginning once its answers have arrived, and must behave the same until
  // then: so it draws random numbers from its `own` sequence.
  struct Attempt {
    const Request& request;
    Time begun;
    Entropy* own = nullptr;                    // null: waits for nothing
    registry::PendingWork* pending = nullptr;  // null if `own` is
  };
  server::Routed route(const Attempt& attempt);
  bool may_call_webhooks(std::string_view target) const;
  void answer_later(const std::shared_ptr<Asked>& asked, const server::Routed& routed);
  void answer_again(const std::shared_ptr<Asked>& asked);
  Response answer_admin(const Request& request);
  void finish(const Request& request, server::Routed routed, Time begun, const Reply& reply);

  std::uint64_t past_states_made_ = 0;
  std::shared_ptr<const View> view_;  // the last one made
  Shown shown_;                       // the content of view_
};

server::Routed ApiServer::Impl::route(const Attempt& attempt) {
  const LiveObjects objects(cluster.store, past_states_made_);
  // Keeps the table alive, as a write may replace it meanwhile.
  const auto resources = cluster.registry.shared_resources();
  const auto authorizer = cluster.authorizer();
  const server::ReadContext reading{*cluster.server, *resources,    objects,
                                    *authorizer,     attempt.begun, attempt.pending};
  if (attempt.own == nullptr) return server::route(reading, &cluster, attempt.request);
  std::swap(cluster.entropy, *attempt.own);
  attempt.pending->begin();
  const store::Revision before = cluster.store.revision();
  server::Routed routed = server::route(reading, &cluster, attempt.request);
  std::swap(cluster.entropy, *attempt.own);
  // A request that has written must not be run again.
  if (cluster.store.revision() != before) attempt.pending->drop_questions();
  return routed;
}

// `begun`: when the request arrived.
void ApiServer::Impl::finish(const Request& request, server::Routed routed, Time begun,
                             const Reply& reply) {
  Response& response = routed.response;
  cluster.metrics->count(routed.kind, response.status, response.body.size(), cluster.now - begun);
  server::add_audit_id(request, *cluster.audit_ids, response);
  if (response.stream && server::is_websocket_request(request)) {
    response = server::answer_websocket(request, std::move(response));
  }
  reply(std::move(response));
}

Response ApiServer::Impl::answer_admin(const Request& request) {
  const server::CorsPolicy& cors = cluster.server->cors;
  std::optional<Response> response = cors.answer_preflight(request);
  if (!response) {
    response = server::answer_admin(cluster, request);
    forget_view();
  }
  cors.add_headers(request, *response);
  return std::move(*response);
}

void ApiServer::Impl::handle(Request request, Reply reply) {
  if (cluster.server->options.admin && server::is_admin_path(request.target)) {
    reply(answer_admin(request));
    return;
  }
  cluster.asked = true;
  std::optional<Entropy> rest;
  if (may_call_webhooks(request.target)) rest = cluster.entropy;
  const std::uint64_t seed = rest ? rest->next() | 1 : 0;
  Entropy own({}, seed);
  registry::PendingWork pending;
  server::Routed routed = route(seed == 0 ? Attempt{request, cluster.now}
                                          : Attempt{request, cluster.now, &own, &pending});
  const bool lacks = pending.incomplete();
  // Consumes the seed, unless no random number was drawn: a view may then have answered as well.
  if (seed != 0 && (lacks || own.place() != seed)) cluster.entropy = std::move(*rest);
  if (!lacks && routed.waits_for_revision == 0) {
    finish(request, std::move(routed), cluster.now, reply);
    return;
  }
  auto asked = std::make_shared<Asked>();
  *asked = {.request = std::move(request),
            .reply = std::move(reply),
            .begun = cluster.now,
            .seed = seed,
            .pending = std::move(pending)};
  answer_later(asked, routed);
}

// Returns whether the target may be a custom resource with a conversion webhook.
bool ApiServer::Impl::may_call_webhooks(std::string_view target) const {
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
  if (asked->pending.incomplete()) {
    cluster.webhooks.ask(asked->pending, [this, asked] { answer_again(asked); });
    return;
  }
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
  Entropy own({}, asked->seed);
  server::Routed again =
      route(asked->seed == 0 ? Attempt{asked->request, asked->begun}
                             : Attempt{asked->request, asked->begun, &own, &asked->pending});
  const bool lacks = asked->pending.incomplete();
  const Duration taken = cluster.now - asked->begun;
  const bool late = asked->out_of_time || (lacks && again.deadline && *again.deadline < taken);
  if (!late && (lacks || (asked->patient && again.waits_for_revision != 0))) {
    return answer_later(asked, again);
  }
  if (late) again.response = server::answer_out_of_time();
  finish(asked->request, std::move(again), asked->begun, asked->reply);
}

std::shared_ptr<const View> ApiServer::Impl::view() {
  cluster.asked = true;
  const Shown now{cluster.store.revision(), cluster.store.compacted_revision(), past_states_made_};
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

std::vector<WebhookCall> ApiServer::take_webhook_calls() {
  return impl_->cluster.webhooks.take_calls();
}

void ApiServer::answer_webhook(std::uint64_t id, const WebhookAnswer& answer) {
  impl_->cluster.webhooks.answer(id, answer);
  impl_->wake_waiting();
}

std::optional<Time> ApiServer::next_deadline() const { return impl_->cluster.next_deadline(); }

std::vector<LoadFault> ApiServer::load(std::string_view manifest) {
  std::vector<LoadFault> faults = server::load_manifest(impl_->cluster, manifest);
  impl_->wake_waiting();
  return faults;
}

void ApiServer::mark_initial_state() { server::mark_initial_state(impl_->cluster); }

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

std::shared_ptr<const View> ApiServer::view() { return impl_->view(); }

Time ApiServer::time() const { return impl_->cluster.now; }

}  // namespace tabernetes
