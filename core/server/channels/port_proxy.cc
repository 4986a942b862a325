#include "server/channels/port_proxy.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "json/access.h"
#include "server/containers/ports.h"

namespace tabernetes::server {
namespace {

// Headers that speak of one connection alone.
constexpr std::string_view kOfConnection[] = {"connection", "keep-alive",   "proxy-connection",
                                              "te",         "trailer",      "transfer-encoding",
                                              "upgrade",    "authorization"};

// Returns what follows `/proxy` in the target, with its options.
std::string_view proxied_target(std::string_view target, std::size_t segments) {
  std::size_t at = 0;
  for (; segments > 0 && at != std::string_view::npos; --segments) at = target.find('/', at + 1);
  return at == std::string_view::npos ? target.substr(std::min(target.find('?'), target.size()))
                                      : target.substr(at);
}

}  // namespace

Result<Response> answer_proxy(RequestContext& call, Cluster& cluster, const json::Value& pod,
                              std::int64_t port) {
  // /api/v1/namespaces/NS/pods/NAME/proxy
  constexpr std::size_t kSegments = 7;
  const std::string_view target = proxied_target(call.request.target, kSegments);
  const std::string_view method = call.request.method;
  if (!target.starts_with('/') && (method == "GET" || method == "HEAD")) {
    const std::string_view whole = call.request.target;
    Response moved;
    moved.status = 301;
    moved.headers = {{"Cache-Control", "no-cache, private"},
                     {"Location", std::string(whole.substr(0, whole.size() - target.size())) + "/" +
                                      std::string(target)}};
    return moved;
  }
  const PodPorts ports(pod, *cluster.containers);
  if (!ports.listens(port)) {
    return ApiStatus{.code = 503,
                     .reason = "ServiceUnavailable",
                     .message = "error trying to reach service: dial tcp " +
                                std::string(text_at(pod, {"status", "podIP"})) + ":" +
                                std::to_string(port) + ": connect: connection refused"};
  }
  PortRequest request{
      .method = call.request.method,
      .target = target.starts_with('/') ? std::string(target) : "/" + std::string(target),
      .headers = {},
      .body = call.request.body};
  for (const auto& header : call.request.headers) {
    if (std::find(std::begin(kOfConnection), std::end(kOfConnection), header.first) ==
        std::end(kOfConnection)) {
      request.headers.push_back(header);
    }
  }
  const std::optional<PodPorts::Asked> asked =
      call.pending == nullptr ? std::nullopt : ports.asked(port, request);
  const ContainerAnswer* given = nullptr;
  if (asked) {
    given = call.pending->ask(std::make_unique<const ContainerQuestion>(asked->url, asked->facts));
    if (given == nullptr) return registry::may_persist(call.pending).error();
  }
  PortReply reply = given == nullptr ? ports.answer(port, request) : typed(read_port_reply(*given));
  Response response;
  response.status = reply.status;
  response.headers = {{"Cache-Control", "no-cache, private"}};
  for (auto& header : reply.headers) response.headers.push_back(std::move(header));
  response.body = Rope(std::move(reply.body));
  return response;
}

}  // namespace tabernetes::server
