// Fetches the OpenAPI documents of aggregated APIs, again and again. Source: upstream 1.36
// kube-aggregator pkg/controllers/openapi, openapiv3.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "registry/life/registry.h"
#include "server/aggregation/aggregated_api.h"
#include "server/aggregation/proxies.h"
#include "server/openapi/foreign_spec.h"
#include "server/pending/deadlines.h"

namespace tabernetes::server {

class OpenApiDownloads {
 public:
  // Calls `on_news` when a server said something new. REQUIRES: all outlive this object.
  OpenApiDownloads(const registry::Registry& registry, Proxies& proxies, Deadlines& deadlines,
                   const Time& now, std::function<void()> on_news)
      : registry_(registry),
        proxies_(proxies),
        deadlines_(deadlines),
        now_(now),
        on_news_(std::move(on_news)) {}
  OpenApiDownloads(const OpenApiDownloads&) = delete;
  OpenApiDownloads& operator=(const OpenApiDownloads&) = delete;

  // Takes in which APIs there are: new ones are fetched a second later, changed ones now, and what
  // the servers of others said is forgotten.
  void observe(const std::vector<AggregatedApi>& apis);

  // Returns the last that the API's server said; null: nothing yet.
  std::shared_ptr<const ForeignSpec> spec_of(std::string_view name) const;

 private:
  enum class Version : std::uint8_t { kV2, kV3 };
  struct Download {
    int failures = 0;          // in a row
    std::uint64_t number = 0;  // of the newest attempt: earlier ones do not count
  };
  struct Known {
    AggregatedApi api;
    Download v2, v3;
    std::string tag;        // of its document of v2; empty: none
    bool lacks_v3 = false;  // its documents of v3 are made from that of v2
    std::shared_ptr<const ForeignSpec> spec;

    Download& of(Version version) { return version == Version::kV2 ? v2 : v3; }
  };

  Known* find(const std::string& name, Version version, std::uint64_t number);
  void plan(const std::string& name, Known& known, Version version, Duration wait);
  void begin(const std::string& name, Known& known, Version version);
  void answered(const std::string& name, Known& known, Version version, const ProxyAnswer& answer);
  void end(const std::string& name, Known& known, Version version, bool good);
  static bool learn_v2(Known& known, const ProxyAnswer& answer);
  static bool learn_v3(Known& known, const ProxyAnswer& answer);
  static void say(Known& known, ForeignSpec spec);

  const registry::Registry& registry_;
  Proxies& proxies_;
  Deadlines& deadlines_;
  const Time& now_;
  const std::function<void()> on_news_;
  std::map<std::string, Known, std::less<>> known_;
  std::uint64_t last_ = 0;
};

}  // namespace tabernetes::server
