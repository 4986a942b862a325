// Encodings of stored objects other than the stored one, made when they are first asked for and
// shared by all who ask again: get, list and watch, views and forks.
//
// A table of a fixed number of places that each hold one encoding. Who reads a place takes what is
// there out of it, by one atomic exchange, and puts it back: so it is alone with it for some
// nanoseconds, nobody waits for anybody, and who finds a place empty meanwhile encodes for himself.
// All that is in the table counts towards a limit of bytes; beyond it goes what was not asked for
// since the last round (CLOCK). Encodings of objects that were replaced go at once, see forget(),
// those of objects that died otherwise when their place comes by.
//
// What is served does not depend on what is here. Tested by
// tests/core/server/request/encoded_objects_test.cc.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/published.h"
#include "registry/resource_type.h"
#include "registry/validity.h"
#include "store/record.h"
#include "tabernetes/buffer.h"

namespace tabernetes::server {

// Which encoding of a record.
struct EncodingKey {
  std::uint32_t type = 0;     // the id of the type that it was asked for as
  std::uint32_t form = 0;     // whatever else makes a difference
  store::Revision shown = 0;  // instead of the record's version; 0: that

  friend bool operator==(const EncodingKey&, const EncodingKey&) = default;
};

struct KeptEncoding {
  Slice bytes;
  registry::Validity validity;
};

// Any thread may call anything.
class EncodedObjects {
 public:
  // Keeps no more than `limit` bytes, what it needs for itself included.
  explicit EncodedObjects(std::size_t limit);
  ~EncodedObjects();
  EncodedObjects(const EncodedObjects&) = delete;
  EncodedObjects& operator=(const EncodedObjects&) = delete;

  // The encoding, if it is here and valid at `now`.
  std::optional<Slice> find(const store::RecordPtr& record, const EncodingKey& key, Time now) const;
  // Keeps an encoding, unless it is large compared to the limit.
  void keep(const store::RecordPtr& record, const EncodingKey& key, KeptEncoding encoding) const;
  // Drops all of a record's encodings.
  void forget(const store::RecordPtr& record) const;
  void clear() const;

  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  // How many encodings were ever kept.
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
  mutable std::atomic<std::size_t> hand_{0};  // of the clock
  Published<std::unique_ptr<const Table>> table_;
};

}  // namespace tabernetes::server
