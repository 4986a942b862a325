// Requests of control loops to aggregated API servers.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "controllers/loop/aggregated_calls.h"
#include "registry/life/registry.h"
#include "server/aggregation/aggregated_objects.h"
#include "server/aggregation/aggregator.h"
#include "server/aggregation/proxies.h"

namespace tabernetes::server {

class LoopCalls final : public controllers::AggregatedCalls {
 public:
  // Calls `on_answers` when all requests of a key have been answered. REQUIRES: all outlive this
  // object.
  using OnAnswers = std::function<void(std::string_view loop, std::string_view key)>;
  // `collects`: the garbage collector runs, which needs to know the objects of other servers.
  LoopCalls(const registry::Registry& registry, Proxies& proxies, const Aggregator& aggregator,
            Deadlines& deadlines, const Time& now, bool collects, OnAnswers on_answers);
  LoopCalls(const LoopCalls&) = delete;
  LoopCalls& operator=(const LoopCalls&) = delete;

  const controllers::AggregatedDiscovery& discovery() override;
  const controllers::AggregatedAnswer* ask(const controllers::AggregatedAsker& asker,
                                           const controllers::AggregatedRequest& request) override;
  void forget(const controllers::AggregatedAsker& asker) override;
  const controllers::AggregatedObject* object(std::string_view uid) override;
  std::vector<std::string> dependents(std::string_view owner) override;
  std::optional<std::int64_t> count(std::string_view resource, std::string_view ns) override;

  // Reads on in the store's history, and watches what there is to watch. Must be called after
  // anything that may have written.
  void look();

 private:
  using Answers = std::map<std::string, std::optional<controllers::AggregatedAnswer>, std::less<>>;
  struct Asked {
    std::uint64_t number = 0;  // answers to what was asked before forget() do not count
    Answers answers;           // by request
    std::size_t missing = 0;
  };
  using Key = std::pair<std::string, std::string>;  // loop, key

  void answered(const Key& key, std::uint64_t number, const std::string& request,
                const ProxyAnswer& answer);

  const registry::Registry& registry_;
  Proxies& proxies_;
  const Aggregator& aggregator_;
  const OnAnswers on_answers_;
  const bool collects_;
  AggregatedObjects objects_;
  std::map<Key, Asked> asked_;
  std::uint64_t last_ = 0;
  std::shared_ptr<const AggregatedApis> read_;  // what discovery_ was made of
  controllers::AggregatedDiscovery discovery_;
  bool watches_due_ = false;  // discovery_ has changed
  std::size_t seen_ = 0;      // position in the history
};

}  // namespace tabernetes::server
