// Counts of a cluster's requests, for /metrics.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "tabernetes/time.h"

namespace tabernetes::server {

// A request as far as metrics distinguish requests. Verbs and scopes are named as in upstream's
// apiserver/pkg/endpoints/metrics.
struct RequestKind {
  enum class Verb : std::uint8_t {
    kUncounted,
    kApply,
    kDelete,
    kGet,
    kList,
    kPatch,
    kPost,
    kPut,
    kWatch
  };
  enum class Scope : std::uint8_t { kNone, kCluster, kNamespace, kResource };
  enum class Endpoint : std::uint8_t { kNone, kHealthz, kLivez, kReadyz };

  Verb verb = Verb::kUncounted;
  Scope scope = Scope::kNone;
  Endpoint endpoint = Endpoint::kNone;  // for non-resource requests
  bool dry_run = false;
  // The resource's index in the ResourceTable, from 1; a custom one's number in MetricResourceIds.
  std::size_t type = 0;
  std::size_t subresource = 0;  // index in the resource, from 1; a custom one's in kCustomParts

  friend bool operator==(const RequestKind&, const RequestKind&) = default;
};

inline constexpr std::string_view kCustomParts[] = {"status", "scale"};

// Upper bounds of the histograms' buckets.
inline constexpr double kDurationBuckets[] = {0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8,
                                              1,     1.25,  1.5,  2,   3,   4,   5,   6,
                                              8,     10,    15,   20,  30,  45,  60};
inline constexpr double kSizeBuckets[] = {1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

// Lock-free and safe on any thread. If there is no room for another kind of request, it is not
// counted.
class RequestMetrics {
 public:
  RequestMetrics();
  RequestMetrics(const RequestMetrics& other);
  RequestMetrics& operator=(const RequestMetrics&) = delete;

  // `took` is measured in the cluster's time: mostly zero.
  void count(const RequestKind& kind, int code, std::size_t bytes, Duration took);
  void reset();

  // Requests of one kind and code whose durations and sizes share their buckets.
  struct Count {
    RequestKind kind;
    int code = 0;
    std::size_t duration_bucket = 0, size_bucket = 0;  // beyond the last: infinite
    std::uint64_t requests = 0, bytes = 0, nanoseconds = 0;
  };
  std::vector<Count> counts() const;

 private:
  struct Slot {
    std::atomic<std::uint64_t> key{0};  // 0: free
    std::atomic<std::uint64_t> requests{0}, bytes{0}, nanoseconds{0};
  };
  Slot* slot_of(std::uint64_t key);

  const std::unique_ptr<Slot[]> slots_;
};

}  // namespace tabernetes::server
