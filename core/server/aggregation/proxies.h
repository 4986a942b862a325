// Calls of other servers in progress, and the bodies of their answers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "tabernetes/http.h"
#include "tabernetes/proxy.h"

namespace tabernetes::server {

class Proxies {
 public:
  // `body`: the rest of an answer with `more`.
  using OnAnswer = std::function<void(ProxyAnswer answer, std::unique_ptr<Stream> body)>;

  // `can_call`: the host makes the calls. Otherwise each fails.
  explicit Proxies(bool can_call) : can_call_(can_call) {}
  Proxies(const Proxies&) = delete;
  Proxies& operator=(const Proxies&) = delete;

  // Has the host make the call. Calls `on_answer` once, maybe before this returns.
  void send(ProxyCall call, OnAnswer on_answer);

  // Return the calls to be made now, and those whose answers nobody reads any more.
  std::vector<ProxyCall> take_calls() { return std::exchange(pending_, {}); }
  std::vector<std::uint64_t> take_abandoned() { return std::exchange(out_->abandoned, {}); }
  // Returns what is to be sent on connections that were upgraded.
  std::vector<ProxiedInput> take_input() { return std::exchange(out_->input, {}); }

  // Passes on an answer, or what follows it; does nothing if the call is not in progress.
  void answer(std::uint64_t id, ProxyAnswer answer);
  void go_on(std::uint64_t id, std::string bytes, ProxiedBody state);

 private:
  class Body;
  struct Flow;
  // What bodies tell the host.
  struct Out {
    std::vector<std::uint64_t> abandoned;
    std::vector<ProxiedInput> input;
  };

  const bool can_call_;
  std::uint64_t last_ = 0;  // last id used
  std::vector<ProxyCall> pending_;
  std::map<std::uint64_t, OnAnswer> calls_;               // not answered yet
  std::map<std::uint64_t, std::weak_ptr<Flow>> flowing_;  // bodies that go on
  // Bodies share it, as they may outlive this object.
  std::shared_ptr<Out> out_ = std::make_shared<Out>();
};

}  // namespace tabernetes::server
