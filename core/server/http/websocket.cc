#include "server/http/websocket.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/go/url.h"
#include "base/text/ascii.h"
#include "base/text/base64.h"
#include "base/text/parts.h"
#include "base/text/utf8.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kTokenPrefix = "base64url.bearer.authorization.k8s.io.";
constexpr std::size_t kLengthBytes = 4;  // before each event of a protobuf stream

// Splits at commas; keeps empty parts.
std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts = split(text, ',');
  for (std::string_view& part : parts) part = trim(part, kBlanks);
  return parts;
}

bool names_upgrade(std::string_view connection) {
  return ascii_lower(connection).find("upgrade") != std::string::npos;
}

// The subprotocols of a request; those with a token are kept apart.
struct Subprotocols {
  std::vector<std::string_view> plain, tokens;

  static Subprotocols of(const Request& request) {
    Subprotocols all;
    for (const auto& [name, value] : request.headers) {
      if (name != "sec-websocket-protocol") continue;
      for (const std::string_view protocol : split_list(value)) {
        const bool token = protocol.starts_with(kTokenPrefix);
        (token ? all.tokens : all.plain)
            .push_back(token ? protocol.substr(kTokenPrefix.size()) : protocol);
      }
    }
    return all;
  }

  // An empty token counts as an ordinary subprotocol.
  bool has_token() const { return !tokens.empty() && !tokens[0].empty(); }
};

Response refuse_opening(int status, std::string_view text) {
  Response response;
  response.status = status;
  response.body.append_static(text);
  return response;
}

// The events of a watch one by one, without the separators of a body.
class MessageStream final : public Stream {
 public:
  // `before` is the number of bytes before each event.
  MessageStream(std::unique_ptr<Stream> events, std::size_t before)
      : events_(std::move(events)), before_(before) {}

  Rope next() override {
    Rope unit = events_->next();
    if (before_ == 0) return unit;
    Rope messages;
    messages.reserve(unit.slices().size());
    for (const Slice& event : unit.slices()) {
      messages.append(Slice::shared(event.view().substr(before_), event.owner()));
    }
    return messages;
  }
  bool ended() const override { return events_->ended(); }
  void on_ready(std::function<void()> wake) override { events_->on_ready(std::move(wake)); }

 private:
  std::unique_ptr<Stream> events_;
  std::size_t before_;
};

bool is_of_type(const Response& watch, std::string_view type) {
  return find_header(watch.headers, "Content-Type").starts_with(type);
}

}  // namespace

bool is_websocket_request(const Request& request) {
  return ascii_lower(find_header(request.headers, "upgrade")) == "websocket" &&
         std::any_of(request.headers.begin(), request.headers.end(), [](const auto& header) {
           return header.first == "connection" && names_upgrade(header.second);
         });
}

Result<void> check_token_protocol(const Request& request) {
  if (!is_websocket_request(request)) return {};
  const Subprotocols all = Subprotocols::of(request);
  if (all.tokens.empty()) return {};
  const std::optional<std::string> token = base64url_decode(all.tokens[0]);
  // The real server logs "missing additional subprotocol".
  const bool alone = all.has_token() && all.plain.empty();
  if (all.tokens.size() > 1 || !token || !is_valid_utf8(*token) || alone) {
    return errors::unauthorized();
  }
  return {};
}

std::string token_of_protocol(const Request& request) {
  if (!is_websocket_request(request)) return {};
  const Subprotocols all = Subprotocols::of(request);
  return all.tokens.empty() ? std::string() : base64url_decode(all.tokens[0]).value_or("");
}

std::vector<std::string_view> offered_protocols(const Request& request) {
  std::vector<std::string_view> offered;
  const Subprotocols all = Subprotocols::of(request);
  if (all.has_token()) {
    offered = all.plain;
  } else {
    // Without a token only the first header line is used.
    offered = split_list(find_header(request.headers, "sec-websocket-protocol"));
  }
  if (offered.size() == 1 && offered[0].empty()) offered.clear();
  return offered;
}

std::optional<Response> refuse_handshake(const Request& request) {
  if (!names_upgrade(find_header(request.headers, "connection"))) {
    return refuse_opening(400, "not websocket protocol");
  }
  if (find_header(request.headers, "sec-websocket-key").empty()) {
    return refuse_opening(400, "mismatch challenge/response");
  }
  if (find_header(request.headers, "sec-websocket-version") != "13") {
    Response response = refuse_opening(400, "missing or bad WebSocket Version");
    response.headers = {{"Sec-WebSocket-Version", "13"}};
    return response;
  }
  return std::nullopt;
}

Response answer_websocket(const Request& request, Response watch) {
  if (auto refused = refuse_handshake(request)) return std::move(*refused);
  // "null", sent by a sandboxed page, is not a URL either.
  if (!is_go_request_uri(find_header(request.headers, "origin"))) return refuse_opening(403, "");
  const std::vector<std::string_view> protocols = offered_protocols(request);
  if (protocols.size() > 1) return refuse_opening(400, "");

  Response response;
  response.status = 101;
  if (!protocols.empty()) {
    response.headers = {{"Sec-WebSocket-Protocol", std::string(protocols[0])}};
  }
  response.message_type =
      is_of_type(watch, "application/json") ? MessageType::kText : MessageType::kBinary;
  const bool sized = is_of_type(watch, "application/vnd.kubernetes.protobuf");
  response.stream =
      std::make_unique<MessageStream>(std::move(watch.stream), sized ? kLengthBytes : 0);
  return response;
}

}  // namespace tabernetes::server
