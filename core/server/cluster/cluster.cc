#include "server/cluster/cluster.h"

#include <algorithm>
#include <utility>

#include "auth/authorizer_chain.h"
#include "auth/node_authorizer.h"
#include "auth/webhook_authorizer.h"
#include "controllers/kubelet/kubelets.h"
#include "controllers/namespaces/namespace_basics.h"

namespace tabernetes::server {
namespace {

// Shares an authorizer that lives as long as the program.
std::shared_ptr<const auth::Authorizer> lasting(const auth::Authorizer& authorizer) {
  return {std::shared_ptr<void>(), &authorizer};
}

}  // namespace

void Cluster::move_to(Time time) {
  now = time;
  store.advance(now);
  deadlines.run(now);
}

void Cluster::advance(Time time) {
  if (storage_fault || rests) return move_to(time);
  loops.on_change(now);
  for (auto due = loops.next(); due && *due <= time; due = loops.next()) reconcile_at(*due);
  move_to(time);
}

void Cluster::wake(Time time) {
  if (storage_fault) return move_to(time);
  loops.on_change(now);
  // Before anybody looks for nodes that have stopped beating.
  if (loops.kubelets() != nullptr) loops.kubelets()->beat_at(now);
  move_to(time);
  advance(time);
}

std::string_view Cluster::reconcile_at(Time due) {
  move_to(std::max(now, due));
  return loops.reconcile_due(now, now).value_or("");
}

std::optional<Time> Cluster::next_deadline() const {
  const std::optional<Time> first = deadlines.next();
  const std::optional<Time> work = storage_fault || rests ? std::nullopt : loops.next();
  if (!first || !work) return first ? first : work;
  return std::min(*first, *work);
}

void Cluster::react() {
  // Longer than a reaction, shorter than anything that a loop waits for on purpose.
  constexpr Duration kMoment = Duration::from_milliseconds(10);
  loops.on_change(now);
  while (loops.reconcile_due(now + kMoment, now)) {
  }
}

std::optional<Cluster::Step> Cluster::step() {
  constexpr Duration kMost = Duration::from_seconds(3600);
  if (storage_fault) return std::nullopt;
  loops.on_change(now);
  const Time last = now + kMost;
  const store::History& history = store.history();
  for (auto due = loops.next(); due && *due <= last; due = loops.next()) {
    std::size_t seen = history.end();
    Step step{.loop = reconcile_at(*due)};
    if (seen == history.end()) continue;
    step.time = now;
    for (; seen < history.end(); ++seen) step.changes.push_back(history.at(seen));
    return step;
  }
  move_to(last);
  return std::nullopt;
}

bool Cluster::settle(Duration most) {
  if (storage_fault) return false;
  loops.on_change(now);
  const Time last = now + most;
  for (auto once = loops.next_once(); once && *once <= last; once = loops.next_once()) {
    reconcile_at(*loops.next());
  }
  return !loops.next_once();
}

void Cluster::set_behaviour(std::shared_ptr<const controllers::kubelet::BehaviourRules> rules) {
  behaviour = std::move(rules);
  loops.set_behaviour(behaviour, now);
}

admission::AccessAnswer Cluster::answer_access(const admission::AccessQuestion& question) {
  const auth::Decision decision = authorizer()->authorize({.user = question.user,
                                                           .verb = question.verb,
                                                           .on_resource = question.path.empty(),
                                                           .group = question.group,
                                                           .version = question.version,
                                                           .resource = question.resource,
                                                           .subresource = question.subresource,
                                                           .ns = question.ns,
                                                           .name = question.name,
                                                           .path = question.path});
  return {decision.verdict == auth::Verdict::kAllow, decision.reason, decision.error};
}

std::shared_ptr<const auth::Authorizer> Cluster::authorizer() {
  const std::vector<Authorization>& modes = server->authorization.modes;
  if (modes.size() == 1 && uses_rbac()) return roles.current(store, registry.resources());
  if (server->allows_everything()) return lasting(auth::always_allow());
  auth::AuthorizerChain::Parts parts;
  std::size_t webhook = 0;
  for (const Authorization mode : modes) {
    parts.push_back(authorizer_of(mode, webhook));
    if (mode == Authorization::kWebhook) ++webhook;
  }
  return std::make_shared<auth::AuthorizerChain>(std::move(parts));
}

std::shared_ptr<const auth::Authorizer> Cluster::authorizer_of(Authorization mode,
                                                               std::size_t webhook) {
  switch (mode) {
    case Authorization::kAlwaysAllow:
      return lasting(auth::always_allow());
    case Authorization::kAlwaysDeny:
      return lasting(auth::always_deny());
    case Authorization::kAbac:
      return {server, &server->abac};
    case Authorization::kRbac:
      return roles.current(store, registry.resources());
    case Authorization::kWebhook:
      if (webhook >= server->authorization.webhooks.size()) return lasting(auth::always_deny());
      return std::make_shared<auth::WebhookAuthorizer>(server->authorization.webhooks[webhook],
                                                       asking, now);
    case Authorization::kNode:
      break;
  }
  return std::make_shared<auth::NodeAuthorizer>(store.snapshot().tree, registry.shared_resources(),
                                                server->gates.enabled("PodCertificateRequest"));
}

void Cluster::make_default_account(std::string_view ns, Time time) {
  json::Arena own;
  controllers::ServiceAccounts().make(loops.context(own, time, time), std::string(ns));
}

void Cluster::end_obsolete_watches() {
  std::shared_ptr<const registry::ResourceTable> served = shown_resources();
  if (served == watched_) return;
  watched_ = std::move(served);
  watches.end_obsolete(*watched_);
}

void Cluster::undo() {
  store.undo();
  registry.go_back(shown->resources);
  roles = auth::Roles();
  loops.start_anew();
  aggregator.start_anew();
  forgotten_ = std::min(forgotten_, store.history().end());
}

void Cluster::rewind(std::size_t position) {
  roles.rewind(position);
  loops.rewind(position);
  limits.rewind(position);
  forgotten_ = std::min(forgotten_, position);
}

// Entries of records that the history has dropped meanwhile are found by the cache itself.
void Cluster::forget_replaced() {
  const store::History& history = store.history();
  if (server->encoded.bytes() == 0 || !history.kept(forgotten_)) forgotten_ = history.end();
  for (; forgotten_ < history.end(); ++forgotten_) {
    const store::RecordPtr& previous = history.at(forgotten_)->previous;
    if (previous) server->encoded.forget(previous);
  }
}

}  // namespace tabernetes::server
