#include "server/channels/exec_answer.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/text/base64.h"
#include "server/channels/exec_session.h"
#include "server/channels/spdy_exec.h"
#include "server/channels/upgrade.h"
#include "server/http/websocket.h"

namespace tabernetes::server {
namespace {

using Channel = ExecSession::Channel;

// Before the number of a channel that the client closes, in v5.
constexpr unsigned char kClose = 255;

constexpr std::string_view kBase64 = "base64.";
constexpr std::size_t kMostAtOnce = 256 * 1024;

// Each also with its messages in base64; clients that name none speak the first.
constexpr std::string_view kProtocols[] = {"v5.channel.k8s.io", "v4.channel.k8s.io",
                                           "channel.k8s.io", ""};

// Messages: the number of a channel, then bytes; or a digit, then base64.
class MessageStream final : public Stream {
 public:
  MessageStream(std::shared_ptr<ExecSession> session, std::string_view protocol)
      : session_(std::move(session)),
        base64_(protocol.starts_with(kBase64)),
        closes_(protocol.find("v5.") != std::string_view::npos) {}

  Rope next() override {
    Rope ready;
    while (ready.size() < kMostAtOnce) {
      const std::optional<ExecSession::Piece> piece = session_->take();
      if (!piece) break;
      const auto channel = static_cast<char>(piece->channel);
      if (base64_) {
        ready.append(static_cast<char>('0' + channel) + base64_encode(piece->bytes));
      } else {
        ready.append(channel + piece->bytes);
      }
    }
    return ready;
  }
  bool ended() const override { return session_->ended(); }
  void on_ready(std::function<void()> wake) override { session_->on_ready(std::move(wake)); }

  void receive(std::string_view message) override {
    if (message.empty()) return;
    auto channel = static_cast<unsigned char>(message.front());
    std::string bytes(message.substr(1));
    if (base64_) {
      channel = static_cast<unsigned char>(channel - '0');
      bytes = base64_decode(bytes).value_or("");
    }
    constexpr auto kIn = static_cast<unsigned char>(Channel::kIn);
    if (closes_ && channel == kClose && bytes.size() == 1 && bytes[0] == kIn) {
      session_->end_input();
    } else if (channel == kIn) {
      session_->type(bytes);
    }
  }

 private:
  std::shared_ptr<ExecSession> session_;
  bool base64_, closes_;
};

bool is_channel_protocol(std::string_view name) {
  if (name.starts_with(kBase64)) name.remove_prefix(kBase64.size());
  return std::find(std::begin(kProtocols), std::end(kProtocols), name) != std::end(kProtocols);
}

}  // namespace

Result<Response> answer_exec(RequestContext& call, Cluster& cluster, const json::Value& pod,
                             std::string_view what, const std::string& container) {
  const ExecPlace place{call, cluster, pod, container};
  const ExecWish wish = exec_wish(call.query);
  const auto begin = [&] {
    return what == "attach" ? ExecSession::attach(place, wish) : ExecSession::exec(place, wish);
  };
  if (is_spdy_request(call.request)) {
    ChosenProtocol chosen = choose_spdy_protocol(
        call.request,
        {"v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"});
    if (chosen.refusal) return std::move(*chosen.refusal);
    return answer_spdy(chosen.name, std::make_unique<SpdyExecStream>(begin(), wish, chosen.name));
  }
  if (!is_websocket_request(call.request)) return errors::bad_request("Upgrade request required");
  if (auto refused = refuse_handshake(call.request)) return std::move(*refused);
  const std::optional<std::string> protocol =
      choose_subprotocol(call.request, &is_channel_protocol);
  if (!protocol) {
    Response response;
    response.status = 403;
    return response;
  }
  return answer_socket(*protocol,
                       protocol->starts_with(kBase64) ? MessageType::kText : MessageType::kBinary,
                       std::make_unique<MessageStream>(begin(), *protocol));
}

}  // namespace tabernetes::server
