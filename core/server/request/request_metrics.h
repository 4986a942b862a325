// What is counted of a cluster's requests, for /metrics.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "tabernetes/time.h"

namespace tabernetes::server {

// What a request was, as far as metrics tell requests apart. Verbs and scopes as upstream's
// apiserver/pkg/endpoints/metrics names them.
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
  Endpoint endpoint = Endpoint::kNone;  // what is no resource
  bool dry_run = false;
  // The resource's place in the ResourceTable, from 1; of a custom one its number in CountedNames.
  std::size_t type = 0;
  std::size_t subresource =
      0;  // its place in the resource, from 1; of a custom one in kCustomParts

  friend bool operator==(const RequestKind&, const RequestKind&) = default;
};

inline constexpr std::string_view kCustomParts[] = {"status", "scale"};

// Upper ends of histograms' buckets.
inline constexpr double kDurationBuckets[] = {0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8,
                                              1,     1.25,  1.5,  2,   3,   4,   5,   6,
                                              8,     10,    15,   20,  30,  45,  60};
inline constexpr double kSizeBuckets[] = {1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

// Any thread may count; nobody waits. Of more kinds than there is room for, the last are not seen.
class RequestMetrics {
 public:
  RequestMetrics();
  RequestMetrics(const RequestMetrics& other);
  RequestMetrics& operator=(const RequestMetrics&) = delete;

  // `took` is the cluster's time: most answers take none of it.
  void count(const RequestKind& kind, int code, std::size_t bytes, Duration took);
  void reset();

  // Requests of one kind with one code whose durations and sizes share their buckets.
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
