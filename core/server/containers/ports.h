// The ports of a simulated pod: what answers there, over HTTP.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/value.h"
#include "server/containers/container_rules.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

struct PortRequest {
  std::string method, target;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::string body;
};

struct PortReply {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

// The ports of a pod, independent of the call that asked for them.
class PodPorts {
 public:
  PodPorts(const json::Value& pod, const ContainerRules& rules);

  // Returns true if something listens there: what a rule answers for, what a container declares;
  // any port of a pod that declares none.
  bool listens(std::int64_t port) const;
  // Returns what a rule says, or who was asked what, as JSON.
  PortReply answer(std::int64_t port, const PortRequest& request) const;

  const std::string& uid() const { return uid_; }

 private:
  struct Declared {
    std::int64_t port;
    std::string container, image;
  };

  std::string ns_, name_, uid_, node_, address_;
  std::vector<Declared> declared_;  // first what has no port: the first container
  std::vector<PortAnswer> answers_;
};

// One connection to a port: HTTP/1.1 with keep-alive.
class PortConnection {
 public:
  PortConnection(const PodPorts& ports, std::int64_t port, Time now)
      : ports_(ports), port_(port), now_(now) {}

  void receive(std::string_view bytes);
  void end_input() { closed_ = closed_ || buffer_.empty(); }
  std::string take() { return std::exchange(out_, {}); }
  bool closed() const { return closed_; }

 private:
  bool read_request();
  bool read_body(PortRequest& request, std::size_t& at, bool& whole);
  void refuse(std::string_view status);
  void write(const PortRequest& request, const PortReply& reply, bool keeps);

  const PodPorts& ports_;
  std::int64_t port_;
  Time now_;
  std::string buffer_, out_;
  bool closed_ = false;
};

}  // namespace tabernetes::server
