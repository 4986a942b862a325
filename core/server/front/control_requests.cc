// Requests for the host's control paths.
#include "server/front/api_server_impl.h"

namespace tabernetes {

void ApiServer::Impl::handle(Request request, Reply reply) {
  if (cluster.server->options.admin && server::is_admin_path(request.target)) {
    if (server::asks_for_explanation(request)) return explain(request, std::move(reply));
    return handle_admin(std::move(request), std::move(reply));
  }
  if (cluster.faults.any()) return meet_faults(std::move(request), std::move(reply));
  begin(std::move(request), std::move(reply), Tries());
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
  const auto trail = server::explaining_trail(*request, cluster.now, cluster.audit_ids,
                                              cluster.server->options.stopwatch);
  handle(std::move(*request),
         [answer, trail](const Response& explained) {
           answer(server::answer_explained(*trail, explained));
         },
         {.trail = trail});
}

}  // namespace tabernetes
