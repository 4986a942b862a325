#include "server/request/request_metrics.h"

#include <algorithm>
#include <iterator>

namespace tabernetes::server {
namespace {

constexpr std::size_t kSlots = 1024;
constexpr std::size_t kProbes = 64;

template <std::size_t N>
std::size_t bucket_of(const double (&ends)[N], double value) {
  return static_cast<std::size_t>(
      std::distance(std::begin(ends), std::lower_bound(std::begin(ends), std::end(ends), value)));
}

// A count's names in one number, and back: each takes some bits.
struct Packer {
  std::uint64_t key = 0;
  void put(std::uint64_t value, int bits) { key = key << bits | (value & ((1ULL << bits) - 1)); }
  std::uint64_t take(int bits) {
    const std::uint64_t value = key & ((1ULL << bits) - 1);
    key >>= bits;
    return value;
  }
};

std::uint64_t pack(const RequestMetrics::Count& count) {
  Packer packer;
  packer.put(static_cast<std::uint64_t>(count.kind.verb), 4);
  packer.put(static_cast<std::uint64_t>(count.kind.scope), 2);
  packer.put(static_cast<std::uint64_t>(count.kind.endpoint), 2);
  packer.put(count.kind.dry_run ? 1 : 0, 1);
  packer.put(count.kind.type, 12);
  packer.put(count.kind.subresource, 6);
  packer.put(static_cast<std::uint64_t>(count.code), 10);
  packer.put(count.duration_bucket, 5);
  packer.put(count.size_bucket, 3);
  return packer.key;
}

RequestMetrics::Count unpack(std::uint64_t key) {
  Packer packer{key};
  RequestMetrics::Count count;
  count.size_bucket = packer.take(3);
  count.duration_bucket = packer.take(5);
  count.code = static_cast<int>(packer.take(10));
  count.kind.subresource = packer.take(6);
  count.kind.type = packer.take(12);
  count.kind.dry_run = packer.take(1) != 0;
  count.kind.endpoint = static_cast<RequestKind::Endpoint>(packer.take(2));
  count.kind.scope = static_cast<RequestKind::Scope>(packer.take(2));
  count.kind.verb = static_cast<RequestKind::Verb>(packer.take(4));
  return count;
}

}  // namespace

RequestMetrics::RequestMetrics() : slots_(std::make_unique<Slot[]>(kSlots)) {}

RequestMetrics::RequestMetrics(const RequestMetrics& other) : RequestMetrics() {
  for (std::size_t i = 0; i < kSlots; ++i) {
    const Slot& from = other.slots_[i];
    slots_[i].key = from.key.load();
    slots_[i].requests = from.requests.load();
    slots_[i].bytes = from.bytes.load();
    slots_[i].nanoseconds = from.nanoseconds.load();
  }
}

// The place of `key`, perhaps a new one; null if there is no room.
RequestMetrics::Slot* RequestMetrics::slot_of(std::uint64_t key) {
  const std::size_t first = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> 40);
  for (std::size_t i = 0; i < kProbes; ++i) {
    Slot& slot = slots_[(first + i) % kSlots];
    std::uint64_t found = slot.key.load();
    if (found == 0 && slot.key.compare_exchange_strong(found, key)) return &slot;
    if (found == key) return &slot;
  }
  return nullptr;
}

void RequestMetrics::count(const RequestKind& kind, int code, std::size_t bytes, Duration took) {
  if (kind.verb == RequestKind::Verb::kUncounted) return;
  const bool reads = kind.verb == RequestKind::Verb::kGet || kind.verb == RequestKind::Verb::kList;
  Count count{.kind = kind, .code = code};
  count.duration_bucket =
      bucket_of(kDurationBuckets, static_cast<double>(took.nanoseconds) / 1'000'000'000);
  if (reads) count.size_bucket = bucket_of(kSizeBuckets, static_cast<double>(bytes));
  Slot* slot = slot_of(pack(count));
  if (slot == nullptr) return;
  slot->requests.fetch_add(1, std::memory_order_relaxed);
  if (reads) slot->bytes.fetch_add(bytes, std::memory_order_relaxed);
  slot->nanoseconds.fetch_add(static_cast<std::uint64_t>(took.nanoseconds),
                              std::memory_order_relaxed);
}

// Kinds keep their places: who is counting meanwhile may lose a request, and nothing else.
void RequestMetrics::reset() {
  for (std::size_t i = 0; i < kSlots; ++i) {
    slots_[i].requests = 0;
    slots_[i].bytes = 0;
    slots_[i].nanoseconds = 0;
  }
}

std::vector<RequestMetrics::Count> RequestMetrics::counts() const {
  std::vector<Count> counts;
  for (std::size_t i = 0; i < kSlots; ++i) {
    const Slot& slot = slots_[i];
    if (slot.requests == 0) continue;
    Count count = unpack(slot.key);
    count.requests = slot.requests;
    count.bytes = slot.bytes;
    count.nanoseconds = slot.nanoseconds;
    counts.push_back(count);
  }
  return counts;
}

}  // namespace tabernetes::server
