// The encoding cache: encodings of stored objects other than the stored one, made on first use and
// shared by get, list and watch, views and forks.
//
// It is a table with a fixed number of slots for one encoding each. A reader takes the entry out of
// its slot with one atomic exchange and puts it back: so it has the entry to itself for some
// nanoseconds, nobody waits, and a reader that finds the slot empty meanwhile encodes by itself.
// The total size counts towards a limit of bytes; beyond it, entries not used since the last round
// are evicted (CLOCK). Encodings of replaced objects are dropped at once, see forget(), those of
// other expired objects when the clock hand passes.
//
// Answers do not depend on the cache's content. Tested by
// tests/core/server/request/encoded_objects_test.cc.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/algorithm/atomic_lazy.h"
#include "registry/cells/validity.h"
#include "registry/kind/resource_type.h"
#include "store/record.h"
#include "tabernetes/buffer.h"

namespace tabernetes::server {

// Identifies an encoding of a record.
struct EncodingKey {
  std::uint32_t type = 0;     // id of the type it was requested as
  std::uint32_t form = 0;     // all other distinctions
  store::Revision shown = 0;  // the version shown instead of the record's, unless 0

  friend bool operator==(const EncodingKey&, const EncodingKey&) = default;
};

struct CachedEncoding {
  Slice bytes;
  registry::Validity validity;
};

// Safe on any thread.
class EncodingCache {
 public:
  // Keeps at most `limit` bytes, including its own overhead.
  explicit EncodingCache(std::size_t limit);
  ~EncodingCache();
  EncodingCache(const EncodingCache&) = delete;
  EncodingCache& operator=(const EncodingCache&) = delete;

  // Returns the encoding if it is cached and valid at `now`.
  std::optional<Slice> find(const store::RecordPtr& record, const EncodingKey& key, Time now) const;
  // Adds an encoding, unless it is large compared to the limit.
  void keep(const store::RecordPtr& record, const EncodingKey& key, CachedEncoding encoding) const;
  // Drops all encodings of a record.
  void forget(const store::RecordPtr& record) const;
  void clear() const;

  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  // Returns how many encodings were ever added.
  std::uint64_t kept() const { return kept_.load(std::memory_order_relaxed); }

 private:
  struct Entry;
  struct Place;
  struct Table;

  const Table& table() const;
  Place* row_of(const store::RecordPtr& record) const;
  void drop(std::unique_ptr<Entry> entry) const;
  void look_at(std::size_t place, bool full) const;
  void make_room() const;

  const std::size_t limit_;
  mutable std::atomic<std::size_t> bytes_{0};
  mutable std::atomic<std::uint64_t> kept_{0};
  mutable std::atomic<std::size_t> hand_{0};  // the clock hand
  AtomicLazy<std::unique_ptr<const Table>> table_;
};

}  // namespace tabernetes::server
