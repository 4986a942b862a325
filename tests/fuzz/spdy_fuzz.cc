// A seed: what a client sends over SPDY; streams that it opens lead to ports and get HTTP.
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>

#include "codec/json_reader.h"
#include "server/containers/ports.h"
#include "server/spdy/connection.h"

namespace {

using namespace tabernetes;
using server::SpdyConnection;
using server::SpdyHeaders;

class Forward : public SpdyConnection::Handler {
 public:
  explicit Forward(const server::PodPorts& ports) : ports_(ports) {}

  void on_stream(std::uint32_t stream, const SpdyHeaders&) override {
    connections_[stream] = std::make_unique<server::PortConnection>(ports_, 80, Time{});
  }
  void on_data(std::uint32_t stream, std::string_view bytes) override {
    connections_[stream]->receive(bytes);
    connection.send(stream, connections_[stream]->take());
  }
  void on_end(std::uint32_t stream) override { connection.end(stream); }
  void on_reset(std::uint32_t stream) override { connections_.erase(stream); }

  SpdyConnection connection{*this};

 private:
  const server::PodPorts& ports_;
  std::map<std::uint32_t, std::unique_ptr<server::PortConnection>> connections_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  json::Arena arena;
  const codec::JsonRead pod = codec::read_json(R"({"spec":{"containers":[{"name":"a"}]}})", arena);
  const server::PodPorts ports(pod.value, server::ContainerRules());
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Forward forward(ports);
  forward.connection.receive(bytes.substr(0, size / 2));
  forward.connection.receive(bytes.substr(size / 2));
  forward.connection.take();
  server::PortConnection alone(ports, 80, Time{});
  alone.receive(bytes);
  alone.take();
  return 0;
}
