// Answers that wait until everything that their requests may have seen is durable.
#include "server/front/api_server_impl.h"

namespace tabernetes {
namespace {

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

}  // namespace

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
    if (!done.tries.explains()) {
      cluster.requests->add(done.request, response, done.begun, std::move(routed.user),
                            done.tries.fault);
    }
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

}  // namespace tabernetes
