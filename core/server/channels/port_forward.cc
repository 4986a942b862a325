#include "server/channels/port_forward.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/text/base64.h"
#include "json/access.h"
#include "server/channels/container_asker.h"
#include "server/channels/upgrade.h"
#include "server/containers/ports.h"
#include "server/http/websocket.h"
#include "server/spdy/connection.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::string_view kForward = "portforward.k8s.io";
constexpr std::string_view kTunnel = "SPDY/3.1+portforward.k8s.io";
constexpr std::string_view kBase64Channels = "v4.base64.channel.k8s.io";
constexpr std::string_view kPlainChannels = "v4.channel.k8s.io";

// What a runtime says of a port where nobody listens.
std::string nobody_listens(const PodPorts& ports, std::int64_t port) {
  const std::string number = std::to_string(port);
  return "error forwarding port " + number + " to pod " + ports.uid() +
         ", uid : failed to execute portforward in network namespace: failed to connect to "
         "localhost:" +
         number + " inside namespace, IPv4: dial tcp4 127.0.0.1:" + number +
         ": connect: connection refused";
}

std::optional<std::int64_t> port_in(std::string_view text) {
  std::int64_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, port);
  if (error != std::errc() || stopped != end || port < 1 || port > 65535) return std::nullopt;
  return port;
}

// Wakes the host when there is something to send.
class PortStream : public Stream {
 public:
  void on_ready(std::function<void()> wake) override { wake_ = std::move(wake); }

 protected:
  void wake() {
    if (const auto once = std::exchange(wake_, nullptr)) once();
  }

 private:
  std::function<void()> wake_;
};

// A connection to a port, with the answers that it waits for.
struct AskingConnection {
  AskingConnection(const PodPorts& ports, std::int64_t port, Time now, WebhookCalls& calls,
                   std::function<void()> ready)
      : connection(ports, port, now), asker(calls) {
    connection.ask_by(
        [this](PodPorts::Asked asked, ContainerAsker::Take take) {
          asker.ask(std::move(asked.url), std::move(asked.facts), std::move(take));
        },
        std::move(ready));
  }

  PortConnection connection;
  ContainerAsker asker;
};

// Two streams a connection, which name the port and have one number in common.
class SpdyForward final : public PortStream, private SpdyConnection::Handler {
 public:
  SpdyForward(PodPorts ports, Time now, WebhookCalls& calls)
      : ports_(std::move(ports)), now_(now), calls_(calls) {}

  Rope next() override {
    Rope ready;
    if (connection_.has_bytes()) ready.append(connection_.take());
    return ready;
  }
  bool ended() const override { return connection_.closed() && !connection_.has_bytes(); }
  void receive(std::string_view bytes) override {
    connection_.receive(bytes);
    if (connection_.has_bytes() || connection_.closed()) wake();
  }

 private:
  struct Forwarded {
    std::optional<std::uint32_t> errors, data;
    std::int64_t port = 0;
    std::unique_ptr<AskingConnection> asking;
  };

  void on_stream(std::uint32_t stream, const SpdyHeaders& headers) override {
    const std::string_view type = spdy_header(headers, "streamtype");
    const auto port = port_in(spdy_header(headers, "port"));
    if (!port || (type != "error" && type != "data")) return connection_.reset(stream);
    std::string id(spdy_header(headers, "requestid"));
    // The oldest clients number nothing: a data stream follows its error stream.
    if (id.empty()) id = "stream " + std::to_string(type == "error" ? stream : stream - 2);
    Forwarded& forwarded = forwarded_[id];
    (type == "error" ? forwarded.errors : forwarded.data) = stream;
    forwarded.port = *port;
    if (!forwarded.errors || !forwarded.data) return;
    if (ports_.listens(*port)) {
      forwarded.asking = std::make_unique<AskingConnection>(
          ports_, *port, now_, calls_, [this, data = *forwarded.data] {
            pass_on(data);
            if (connection_.has_bytes() || connection_.closed()) wake();
          });
      return;
    }
    connection_.send(*forwarded.errors, nobody_listens(ports_, *port));
    end(forwarded);
  }

  void on_data(std::uint32_t stream, std::string_view bytes) override {
    Forwarded* const forwarded = of_data(stream);
    if (forwarded == nullptr || !forwarded->asking) return;
    forwarded->asking->connection.receive(bytes);
    pass_on(stream);
  }

  void pass_on(std::uint32_t stream) {
    Forwarded* const forwarded = of_data(stream);
    if (forwarded == nullptr || !forwarded->asking) return;
    connection_.send(stream, forwarded->asking->connection.take());
    if (forwarded->asking->connection.closed()) end(*forwarded);
  }

  void on_end(std::uint32_t stream) override {
    Forwarded* const forwarded = of_data(stream);
    if (forwarded == nullptr) return;
    end(*forwarded);
    forget(stream);
  }

  void on_reset(std::uint32_t stream) override { forget(stream); }

  Forwarded* of_data(std::uint32_t stream) {
    for (auto& [id, forwarded] : forwarded_) {
      if (forwarded.data == stream) return &forwarded;
    }
    return nullptr;
  }
  void end(Forwarded& forwarded) {
    if (forwarded.data) connection_.end(*forwarded.data);
    if (forwarded.errors) connection_.end(*forwarded.errors);
    // It may be what has called.
    gone_ = std::move(forwarded.asking);
  }
  void forget(std::uint32_t stream) {
    std::erase_if(forwarded_, [&](const auto& entry) { return entry.second.data == stream; });
  }

  PodPorts ports_;
  Time now_;
  WebhookCalls& calls_;
  std::unique_ptr<AskingConnection> gone_;
  SpdyConnection connection_{*this};
  std::map<std::string, Forwarded> forwarded_;
};

// Channel 2i has the data of the i-th port, channel 2i+1 its errors; each begins with the port.
class ChannelForward final : public PortStream {
 public:
  ChannelForward(PodPorts ports, const std::vector<std::int64_t>& wanted, Time now, bool base64,
                 WebhookCalls& calls)
      : ports_(std::move(ports)), base64_(base64) {
    for (const std::int64_t port : wanted) {
      const std::string number = {static_cast<char>(port & 0xff), static_cast<char>(port >> 8)};
      const std::size_t channel = connections_.size() * 2;
      push(channel, number);
      push(channel + 1, number);
      if (!ports_.listens(port)) push(channel + 1, nobody_listens(ports_, port));
      connections_.emplace_back();
      if (!ports_.listens(port)) continue;
      connections_.back() =
          std::make_unique<AskingConnection>(ports_, port, now, calls, [this, channel] {
            push(channel, connections_[channel / 2]->connection.take());
            if (!ready_.empty() || ended()) wake();
          });
    }
  }

  Rope next() override { return std::exchange(ready_, {}); }
  bool ended() const override {
    return ready_.empty() &&
           std::all_of(connections_.begin(), connections_.end(),
                       [](const auto& one) { return !one || one->connection.closed(); });
  }
  void receive(std::string_view message) override {
    if (message.empty()) return;
    std::string bytes(message.substr(1));
    auto channel = static_cast<std::size_t>(static_cast<unsigned char>(message.front()));
    if (base64_) {
      channel -= '0';
      bytes = base64_decode(bytes).value_or("");
    }
    if (channel % 2 != 0 || channel / 2 >= connections_.size()) return;
    const auto& connection = connections_[channel / 2];
    if (!connection) return;
    connection->connection.receive(bytes);
    push(channel, connection->connection.take());
    if (!ready_.empty() || ended()) wake();
  }

 private:
  void push(std::size_t channel, const std::string& bytes) {
    if (bytes.empty()) return;
    if (base64_) {
      ready_.append(static_cast<char>('0' + channel) + base64_encode(bytes));
    } else {
      ready_.append(static_cast<char>(channel) + bytes);
    }
  }

  PodPorts ports_;
  bool base64_;
  std::vector<std::unique_ptr<AskingConnection>> connections_;
  Rope ready_;
};

bool is_forward_protocol(std::string_view name) {
  return name == kTunnel || name == kPlainChannels || name == kBase64Channels || name.empty();
}

// Returns the ports that the query names; nullopt if it names none, or something else.
std::optional<std::vector<std::int64_t>> wanted_ports(const Query& query) {
  std::vector<std::int64_t> ports;
  for (const std::string& list : query.all("ports")) {
    std::string_view rest = list;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const auto port = port_in(rest.substr(0, comma));
      if (!port || ports.size() >= 100) return std::nullopt;
      ports.push_back(*port);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  if (ports.empty()) return std::nullopt;
  return ports;
}

}  // namespace

Result<Response> answer_port_forward(RequestContext& call, Cluster& cluster, const Value& pod) {
  PodPorts ports(pod, *cluster.containers);
  if (is_spdy_request(call.request)) {
    ChosenProtocol chosen = choose_spdy_protocol(call.request, {kForward});
    if (chosen.refusal) return std::move(*chosen.refusal);
    return answer_spdy(chosen.name,
                       std::make_unique<SpdyForward>(std::move(ports), call.now, cluster.webhooks));
  }
  if (!is_websocket_request(call.request)) return errors::bad_request("Upgrade request required");
  if (auto refused = refuse_handshake(call.request)) return std::move(*refused);
  const std::optional<std::string> protocol =
      choose_subprotocol(call.request, &is_forward_protocol);
  if (!protocol) {
    Response response;
    response.status = 403;
    return response;
  }
  if (*protocol == kTunnel) {
    return answer_socket(
        *protocol, MessageType::kBinary,
        std::make_unique<SpdyForward>(std::move(ports), call.now, cluster.webhooks));
  }
  const auto wanted = wanted_ports(call.query);
  if (!wanted) return errors::bad_request("query parameter \"port\" is required");
  const bool base64 = *protocol == kBase64Channels;
  return answer_socket(*protocol, base64 ? MessageType::kText : MessageType::kBinary,
                       std::make_unique<ChannelForward>(std::move(ports), *wanted, call.now, base64,
                                                        cluster.webhooks));
}

}  // namespace tabernetes::server
