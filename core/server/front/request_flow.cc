// The way of a request: attempts to answer it, and what it waits for.
#include <algorithm>
#include <initializer_list>

#include "server/front/api_server_impl.h"

namespace tabernetes {
namespace {

bool has_part(std::string_view target, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [target](std::string_view part) {
    return target.find(part) != std::string_view::npos;
  });
}

// Returns false only for targets that are no connection to a pod, a service or a node.
bool may_connect(std::string_view target) {
  return has_part(target, {"/proxy", "/exec", "/attach", "/portforward"});
}

}  // namespace

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
  const server::ReadContext reading{
      .server = *cluster.server,
      .resources = *resources,
      .objects = objects,
      .authorizer = *authorizer,
      .behaviour = *cluster.behaviour,
      .now = attempt.begun,
      .pending = attempt.pending,
      .storage = {cluster.storage_fault.get(), cluster.shared},
      .audited = server::attempt_of(attempt.trail),
      .asking = cluster.asking.get(),
      .limited = {limits.get(), &cluster.limits, attempt.ticket, &cluster.watches.census},
      .aggregated = cluster.aggregator.apis().get()};
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
  // A request that has written more than what it finds again must not be run again.
  const std::size_t written = cluster.store.history().end() - history_end;
  if (written > attempt.pending->provided()) attempt.pending->drop_questions();
  return routed;
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

// Returns whether the request may ask webhooks about its sender, those of admission, or those who
// answer for a container, or is for a custom resource with a conversion webhook.
bool ApiServer::Impl::may_call_webhooks(const Request& request) const {
  const std::string_view target = request.target;
  if (cluster.server->asks_about_callers()) return true;
  if ((!only_reads(request) || may_connect(target)) &&
      (cluster.admission.asks() || admission::has_webhooks(cluster.registry))) {
    return true;
  }
  if (cluster.containers->asks() && has_part(target, {"/proxy", "/log"})) return true;
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

}  // namespace tabernetes
