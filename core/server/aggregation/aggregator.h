// Keeps the condition Available of APIServices that name a service, and what their servers say of
// their resources and documents. Source: upstream 1.36 kube-aggregator
// pkg/controllers/status/remote, pkg/apiserver/handler_discovery.go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "registry/life/registry.h"
#include "server/aggregation/aggregated_api.h"
#include "server/aggregation/aggregated_apis.h"
#include "server/aggregation/openapi_downloads.h"
#include "server/aggregation/proxies.h"
#include "server/pending/deadlines.h"

namespace tabernetes::server {

class Aggregator {
 public:
  // REQUIRES: all of them outlive this object. `measures`: see find_aggregated_api().
  Aggregator(registry::Registry& registry, Proxies& proxies, Deadlines& deadlines, const Time& now,
             bool measures)
      : registry_(registry),
        proxies_(proxies),
        deadlines_(deadlines),
        now_(now),
        measures_(measures) {}
  Aggregator(const Aggregator&) = delete;
  Aggregator& operator=(const Aggregator&) = delete;

  // Reads on in the store's history and does what is due: may write conditions and make calls. Must
  // be called after anything that may have written, and after time has passed.
  void look();
  // Makes the next look() read everything anew. Must be called when the newest changes were undone.
  void start_anew() { started_ = false; }

  // Returns what is known of the APIs; the same object until that changes. Null: there are none.
  const std::shared_ptr<const AggregatedApis>& apis() const { return published_; }

 private:
  struct Verdict {
    bool available = false;
    std::string reason, message;
  };
  struct Known {
    AggregatedApi api;
    std::uint64_t number = 0;  // of the newest check: answers to earlier ones do not count
    bool due = true;
    bool asking = false;
    int failures = 0;  // checks in a row that failed
    std::optional<Verdict> answered;
    std::string plain;  // its APIResourceList of the last check
    std::string entry;  // see AggregatedPart
  };

  void read_all();
  void observe(std::string_view key, const store::RecordPtr& record);
  void take(std::string_view name, const store::RecordPtr& record);
  void check(const std::string& name, Known& known);
  std::optional<Verdict> verdict_without_asking(const AggregatedApi& api) const;
  void ask(const std::string& name, Known& known);
  void answered(const std::string& name, std::uint64_t number, const std::string& url,
                const ProxyAnswer& answer);
  void ask_for_resources(const std::string& name, Known& known);
  void learn(const std::string& name, std::uint64_t number, const ProxyAnswer& answer);
  void settle(const std::string& name, Known& known, const Verdict& verdict);
  void write(const std::string& name, const Verdict& verdict);
  void publish();
  Known* find(const std::string& name, std::uint64_t number);

  registry::Registry& registry_;
  Proxies& proxies_;
  Deadlines& deadlines_;
  const Time& now_;
  const bool measures_;
  std::map<std::string, Known, std::less<>> apis_;
  OpenApiDownloads open_api_{registry_, proxies_, deadlines_, now_, [this] { publish(); }};
  std::shared_ptr<const AggregatedApis> published_;
  std::uint64_t last_ = 0;
  std::size_t seen_ = 0;  // position in the history
  bool started_ = false;
};

}  // namespace tabernetes::server
