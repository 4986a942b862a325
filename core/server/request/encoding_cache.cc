#include "server/request/encoding_cache.h"

#include <bit>
#include <utility>

namespace tabernetes::server {
namespace {

using store::RecordPtr;

constexpr std::size_t kRow = 8;          // slots that a record's encodings may be in
constexpr std::size_t kTypical = 1024;   // bytes of an encoding assumed for the table's size
constexpr std::size_t kLargest = 8;      // an encoding may take this fraction of the limit
constexpr std::size_t kLooksToKeep = 2;  // slots examined for each encoding added

std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ bits >> 32) * 0x9e3779b97f4a7c15;
  return bits ^ bits >> 29;
}

std::uint64_t bits_of(const void* pointer) {
  return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

// Never returns 0.
std::uint64_t mark_of(const RecordPtr& record, const EncodingKey& key) {
  const std::uint64_t of_key = mixed((std::uint64_t{key.type} << 32) + key.form) + key.shown;
  return mixed(mixed(bits_of(record.get())) ^ of_key) | 1;
}

}  // namespace

struct EncodingCache::Entry {
  // While the entry exists, no other record can have this address.
  std::weak_ptr<const store::Record> record;
  EncodingKey key;
  CachedEncoding encoding;
  bool asked_for = false;  // since the clock hand last passed

  bool is_of(const RecordPtr& other) const {
    return !record.owner_before(other) && !other.owner_before(record);
  }
  // Includes allocator overhead and the control block of an expired record.
  std::size_t cost() const { return encoding.bytes.size() + sizeof(Entry) + 256; }
};

// A slot; owns its entry. The mark is only a hint: it may be of an entry that is gone.
struct EncodingCache::Place {
  std::atomic<std::uint64_t> mark{0};
  std::atomic<Entry*> entry{nullptr};

  bool empty() const { return entry.load(std::memory_order_relaxed) == nullptr; }
  std::unique_ptr<Entry> take() {
    if (empty()) return nullptr;
    return std::unique_ptr<Entry>(entry.exchange(nullptr, std::memory_order_acquire));
  }
  // Returns the argument if the slot is occupied meanwhile.
  std::unique_ptr<Entry> put_back(std::unique_ptr<Entry> taken) {
    Entry* none = nullptr;
    if (entry.compare_exchange_strong(none, taken.get(), std::memory_order_release,
                                      std::memory_order_relaxed)) {
      (void)taken.release();
    }
    return taken;
  }
  // Returns the previous entry.
  std::unique_ptr<Entry> replace(std::unique_ptr<Entry> fresh, std::uint64_t new_mark) {
    mark.store(new_mark, std::memory_order_relaxed);
    return std::unique_ptr<Entry>(entry.exchange(fresh.release(), std::memory_order_acq_rel));
  }
};

struct EncodingCache::Table {
  explicit Table(std::size_t limit)
      : size(kRow * std::bit_ceil(limit / (kTypical * kRow) + 1)), places(new Place[size]) {}
  ~Table() {
    for (std::size_t i = 0; i < size; ++i) places[i].take();
  }
  Table(const Table&) = delete;

  const std::size_t size;
  const std::unique_ptr<Place[]> places;
};

EncodingCache::EncodingCache(std::size_t limit) : limit_(limit) {}
EncodingCache::~EncodingCache() = default;

const EncodingCache::Table& EncodingCache::table() const {
  return *table_.get_or_make([this] { return std::make_unique<const Table>(limit_); });
}

EncodingCache::Place* EncodingCache::row_of(const RecordPtr& record) const {
  const Table& all = table();
  return &all.places[mixed(bits_of(record.get())) % (all.size / kRow) * kRow];
}

std::optional<Slice> EncodingCache::find(const RecordPtr& record, const EncodingKey& key,
                                         Time now) const {
  if (bytes() == 0) return std::nullopt;
  const std::uint64_t mark = mark_of(record, key);
  Place* const row = row_of(record);
  for (std::size_t i = 0; i < kRow; ++i) {
    if (row[i].mark.load(std::memory_order_relaxed) != mark) continue;
    std::unique_ptr<Entry> entry = row[i].take();
    if (!entry) continue;
    std::optional<Slice> found;
    if (entry->key == key && entry->is_of(record) && entry->encoding.validity.covers(now)) {
      entry->asked_for = true;
      found = entry->encoding.bytes;
    }
    drop(row[i].put_back(std::move(entry)));
    if (found) return found;
  }
  return std::nullopt;
}

void EncodingCache::keep(const RecordPtr& record, const EncodingKey& key,
                         CachedEncoding encoding) const {
  auto entry = std::make_unique<Entry>(Entry{record, key, std::move(encoding)});
  if (entry->cost() > limit_ / kLargest) return;
  const std::uint64_t mark = mark_of(record, key);
  Place* const row = row_of(record);
  // Replaces an entry with the same mark (the same encoding at another time), or else takes an
  // empty slot, or else the slot of the set that the mark selects.
  Place* place = nullptr;
  for (std::size_t i = 0; i < kRow && place == nullptr; ++i) {
    if (row[i].mark.load(std::memory_order_relaxed) == mark) place = &row[i];
  }
  for (std::size_t i = 0; i < kRow && place == nullptr; ++i) {
    if (row[i].empty()) place = &row[i];
  }
  if (place == nullptr) place = &row[mark >> 32 & (kRow - 1)];
  bytes_.fetch_add(entry->cost(), std::memory_order_relaxed);
  kept_.fetch_add(1, std::memory_order_relaxed);
  drop(place->replace(std::move(entry), mark));
  make_room();
}

void EncodingCache::forget(const RecordPtr& record) const {
  if (bytes() == 0) return;
  Place* const row = row_of(record);
  for (std::size_t i = 0; i < kRow; ++i) {
    std::unique_ptr<Entry> entry = row[i].take();
    if (!entry) continue;
    if (!entry->is_of(record)) entry = row[i].put_back(std::move(entry));
    drop(std::move(entry));
  }
}

void EncodingCache::clear() const {
  if (bytes() == 0) return;
  const Table& all = table();
  for (std::size_t i = 0; i < all.size; ++i) drop(all.places[i].take());
}

void EncodingCache::drop(std::unique_ptr<Entry> entry) const {
  if (entry) bytes_.fetch_sub(entry->cost(), std::memory_order_relaxed);
}

// Drops the entry if its record has expired or, if `full`, if it was not used since the last round.
void EncodingCache::look_at(std::size_t place, bool full) const {
  Place& at = table().places[place];
  std::unique_ptr<Entry> entry = at.take();
  if (!entry) return;
  const bool stays = !entry->record.expired() && (!full || entry->asked_for);
  if (full) entry->asked_for = false;
  if (stays) entry = at.put_back(std::move(entry));
  drop(std::move(entry));
}

// Within two rounds the clock hand evicts everything that is not used meanwhile.
void EncodingCache::make_room() const {
  const std::size_t size = table().size;
  for (std::size_t looks = 0; looks < 2 * size; ++looks) {
    const bool full = bytes() > limit_;
    if (!full && looks >= kLooksToKeep) return;
    look_at(hand_.fetch_add(1, std::memory_order_relaxed) % size, full);
  }
}

}  // namespace tabernetes::server
