// The ports of a simulated pod: what answers there, over HTTP.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/value.h"
#include "server/containers/asked_answers.h"
#include "server/containers/container_rules.h"
#include "server/containers/port_messages.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

// Returns the reply with a Content-Type.
PortReply typed(PortReply reply);

// The ports of a pod, independent of the call that asked for them.
class PodPorts {
 public:
  PodPorts(const json::Value& pod, const ContainerRules& rules);

  // Returns true if something listens there: what a rule answers for, what a container declares;
  // any port of a pod that declares none.
  bool listens(std::int64_t port) const;
  // Returns the address that answers instead, and what it is asked; nullopt: answer() does.
  struct Asked {
    std::string url, facts;
  };
  std::optional<Asked> asked(std::int64_t port, const PortRequest& request) const;
  // Returns what a rule says, or who was asked what, as JSON.
  PortReply answer(std::int64_t port, const PortRequest& request) const;

  const std::string& uid() const { return uid_; }

 private:
  struct Declared {
    std::int64_t port;
    std::string container, image;
    std::string facts;  // for those who are asked, if anybody is
  };
  const PortAnswer* rule_for(std::int64_t port, const PortRequest& request) const;
  const Declared& declared_at(std::int64_t port) const;

  std::string ns_, name_, uid_, node_, address_;
  std::vector<Declared> declared_;  // first what has no port: the first container
  std::vector<PortAnswer> answers_;
};

// One connection to a port: HTTP/1.1 with keep-alive.
class PortConnection {
 public:
  PortConnection(const PodPorts& ports, std::int64_t port, Time now)
      : ports_(ports), port_(port), now_(now) {}

  // Asks those who answer instead; it calls back once, or never.
  using Ask = std::function<void(PodPorts::Asked, std::function<void(const ContainerAnswer&)>)>;
  // Sets who asks, and what is called when there is something to take that receive() did not leave.
  // REQUIRES: nobody calls back after this object is gone.
  void ask_by(Ask ask, std::function<void()> ready) {
    ask_ = std::move(ask);
    ready_ = std::move(ready);
  }

  void receive(std::string_view bytes);
  void end_input() { closed_ = closed_ || buffer_.empty(); }
  std::string take() { return std::exchange(out_, {}); }
  bool closed() const { return closed_; }

 private:
  bool read_request();
  void answer(const PortRequest& request, const PortReply& reply, bool keeps);
  bool read_body(PortRequest& request, std::size_t& at, bool& whole);
  void refuse(std::string_view status);
  void write(const PortRequest& request, const PortReply& reply, bool keeps);

  const PodPorts& ports_;
  std::int64_t port_;
  Time now_;
  std::string buffer_, out_;
  bool closed_ = false;
  Ask ask_;
  std::function<void()> ready_;
  bool waits_ = false;  // for an answer
};

}  // namespace tabernetes::server
