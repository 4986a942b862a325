#include "request_gate.h"

#include <utility>

namespace tabernetes::host {

Response text_answer(int status, std::string text) {
  Response response;
  response.status = status;
  response.headers = {{"Content-Type", "text/plain; charset=utf-8"},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body.append(std::move(text));
  return response;
}

std::optional<Response> refuse_request(const Request& request, const Peer& peer,
                                       std::string_view authority, const HttpSettings& settings) {
  // A request without any host does not come from a browser, and no page reaches a Unix socket,
  // whose clients name any host.
  const bool through_unix = peer.remote_address.empty();
  if (!through_unix && !authority.empty() && !host_allowed(authority, settings.hosts)) {
    return text_answer(403, "403 Forbidden: this server does not answer for the host " +
                                std::string(authority) + " (see --allowed-hosts)\n");
  }
  const std::string_view origin = find_header(request.headers, "origin");
  if (!origin.empty() && !find_header(request.headers, "upgrade").empty() &&
      !origin_allowed(origin, authority, settings.hosts)) {
    return text_answer(403, "403 Forbidden: pages of " + std::string(origin) +
                                " may not open a WebSocket here (see --allowed-hosts)\n");
  }
  if (is_foreign_write(request, authority, settings.hosts, settings.cors_origins)) {
    return text_answer(403, "403 Forbidden: pages of " +
                                (origin.empty() ? "other sites" : std::string(origin)) +
                                " may not write here (see --cors-allowed-origins)\n");
  }
  return std::nullopt;
}

namespace {

bool asks_for_metrics(const Request& request) {
  const std::string_view target = request.target;
  return request.method == "GET" && target.substr(0, target.find('?')) == "/metrics";
}

// Adds what this host counts to the metrics that a caller may see.
Reply with_metrics(std::shared_ptr<ConnectionCounts> counts, Reply on_answer) {
  return [counts = std::move(counts), on_answer = std::move(on_answer)](Response response) {
    if (response.status == 200) response.body.append(counts->metrics());
    on_answer(std::move(response));
  };
}

}  // namespace

void answer_request(ConnectionContext& context, Request request, Reply on_answer) {
  if (auto page = context.site->ui.answer(request)) return on_answer(std::move(*page));
  if (asks_for_metrics(request)) {
    on_answer = with_metrics(context.site->settings.counts, std::move(on_answer));
  }
  context.core.handle(std::move(request), std::move(on_answer));
}

std::unique_ptr<LoggedRequest> logged_request(const Request& request, const std::string& peer,
                                              const Log& log) {
  if (!log.requests()) return nullptr;
  return std::make_unique<LoggedRequest>(
      LoggedRequest{.method = request.method,
                    .target = request.target,
                    .content_type = std::string(find_header(request.headers, "content-type")),
                    .user_agent = std::string(find_header(request.headers, "user-agent")),
                    .peer = peer});
}

}  // namespace tabernetes::host
