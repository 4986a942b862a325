#include "server/channels/container_asker.h"

#include <memory>
#include <utility>

namespace tabernetes::server {

ContainerAsker::~ContainerAsker() {
  for (const auto& [number, asked] : asked_) calls_.cancel(asked.ticket);
}

void ContainerAsker::ask(std::string url, std::string facts, Take take) {
  const std::uint64_t number = ++last_;
  Asked& asked = asked_[number];
  asked.take = std::move(take);
  asked.url = std::move(url);
  asked.facts = std::move(facts);
  asked.pending.ask(std::make_unique<const ContainerQuestion>(asked.url, asked.facts));
  const WebhookCalls::Ticket ticket = calls_.ask(asked.pending, [this, number] { finish(number); });
  // It may have been answered at once.
  if (const auto found = asked_.find(number); found != asked_.end()) found->second.ticket = ticket;
}

void ContainerAsker::finish(std::uint64_t number) {
  const auto found = asked_.find(number);
  if (found == asked_.end()) return;
  Asked& asked = found->second;
  const ContainerAnswer answer = *asked.pending.ask(
      std::make_unique<const ContainerQuestion>(std::move(asked.url), std::move(asked.facts)));
  const Take take = std::move(asked.take);
  asked_.erase(found);
  take(answer);
}

}  // namespace tabernetes::server
