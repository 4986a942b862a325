// Asks those who answer for a container, for connections that are open.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "registry/kind/pending_work.h"
#include "server/containers/asked_answers.h"
#include "server/pending/webhook_calls.h"

namespace tabernetes::server {

// Asks, one or more at a time. What is not answered when it goes is forgotten.
class ContainerAsker {
 public:
  using Take = std::function<void(const ContainerAnswer&)>;

  // REQUIRES: `calls` outlives this object.
  explicit ContainerAsker(WebhookCalls& calls) : calls_(calls) {}
  ~ContainerAsker();
  ContainerAsker(const ContainerAsker&) = delete;
  ContainerAsker& operator=(const ContainerAsker&) = delete;

  // Calls `take` once, maybe at once.
  void ask(std::string url, std::string facts, Take take);

 private:
  struct Asked {
    registry::PendingWork pending;
    std::string url, facts;
    Take take;
    WebhookCalls::Ticket ticket = 0;
  };
  void finish(std::uint64_t number);

  WebhookCalls& calls_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Asked> asked_;
};

}  // namespace tabernetes::server
