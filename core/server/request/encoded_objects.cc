#include "server/request/encoded_objects.h"

#include <bit>
#include <utility>

namespace tabernetes::server {
namespace {

using store::RecordPtr;

constexpr std::size_t kRow = 8;          // places that a record's encodings may be in
constexpr std::size_t kTypical = 1024;   // bytes of an encoding, which the table's size is made for
constexpr std::size_t kLargest = 8;      // of the limit, the part that one encoding may take
constexpr std::size_t kLooksToKeep = 2;  // places that are looked at for each encoding kept

std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ bits >> 32) * 0x9e3779b97f4a7c15;
  return bits ^ bits >> 29;
}

std::uint64_t bits_of(const void* pointer) {
  return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

// Never 0.
std::uint64_t mark_of(const RecordPtr& record, const EncodingKey& key) {
  const std::uint64_t of_key = mixed((std::uint64_t{key.type} << 32) + key.form) + key.shown;
  return mixed(mixed(bits_of(record.get())) ^ of_key) | 1;
}

}  // namespace

struct EncodedObjects::Entry {
  // By this the record's address belongs to nobody else as long as the entry is here.
  std::weak_ptr<const store::Record> record;
  EncodingKey key;
  KeptEncoding encoding;
  bool asked_for = false;  // since the clock's hand came by

  bool is_of(const RecordPtr& other) const {
    return !record.owner_before(other) && !other.owner_before(record);
  }
  // With what lies around it, and the shell of a record that died.
  std::size_t cost() const { return encoding.bytes.size() + sizeof(Entry) + 256; }
};

// Owns its entry. The mark only saves a look: it may be of an entry that is no longer there.
struct EncodedObjects::Place {
  std::atomic<std::uint64_t> mark{0};
  std::atomic<Entry*> entry{nullptr};

  bool empty() const { return entry.load(std::memory_order_relaxed) == nullptr; }
  std::unique_ptr<Entry> take() {
    if (empty()) return nullptr;
    return std::unique_ptr<Entry>(entry.exchange(nullptr, std::memory_order_acquire));
  }
  // What is left over: the argument, if there is another entry by now.
  std::unique_ptr<Entry> put_back(std::unique_ptr<Entry> taken) {
    Entry* none = nullptr;
    if (entry.compare_exchange_strong(none, taken.get(), std::memory_order_release,
                                      std::memory_order_relaxed)) {
      (void)taken.release();
    }
    return taken;
  }
  // What was there before.
  std::unique_ptr<Entry> replace(std::unique_ptr<Entry> fresh, std::uint64_t new_mark) {
    mark.store(new_mark, std::memory_order_relaxed);
    return std::unique_ptr<Entry>(entry.exchange(fresh.release(), std::memory_order_acq_rel));
  }
};

struct EncodedObjects::Table {
  explicit Table(std::size_t limit)
      : size(kRow * std::bit_ceil(limit / (kTypical * kRow) + 1)), places(new Place[size]) {}
  ~Table() {
    for (std::size_t i = 0; i < size; ++i) places[i].take();
  }
  Table(const Table&) = delete;

  const std::size_t size;
  const std::unique_ptr<Place[]> places;
};

EncodedObjects::EncodedObjects(std::size_t limit) : limit_(limit) {}
EncodedObjects::~EncodedObjects() = default;

const EncodedObjects::Table& EncodedObjects::table() const {
  return *table_.get_or_make([this] { return std::make_unique<const Table>(limit_); });
}

EncodedObjects::Place* EncodedObjects::row_of(const RecordPtr& record) const {
  const Table& all = table();
  return &all.places[mixed(bits_of(record.get())) % (all.size / kRow) * kRow];
}

std::optional<Slice> EncodedObjects::find(const RecordPtr& record, const EncodingKey& key,
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

void EncodedObjects::keep(const RecordPtr& record, const EncodingKey& key,
                          KeptEncoding encoding) const {
  auto entry = std::make_unique<Entry>(Entry{record, key, std::move(encoding)});
  if (entry->cost() > limit_ / kLargest) return;
  const std::uint64_t mark = mark_of(record, key);
  Place* const row = row_of(record);
  // In the place of what it replaces (the same at another time), else in an empty one, else in one
  // of the row that the mark chooses.
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

void EncodedObjects::forget(const RecordPtr& record) const {
  if (bytes() == 0) return;
  Place* const row = row_of(record);
  for (std::size_t i = 0; i < kRow; ++i) {
    std::unique_ptr<Entry> entry = row[i].take();
    if (!entry) continue;
    if (!entry->is_of(record)) entry = row[i].put_back(std::move(entry));
    drop(std::move(entry));
  }
}

void EncodedObjects::clear() const {
  if (bytes() == 0) return;
  const Table& all = table();
  for (std::size_t i = 0; i < all.size; ++i) drop(all.places[i].take());
}

void EncodedObjects::drop(std::unique_ptr<Entry> entry) const {
  if (entry) bytes_.fetch_sub(entry->cost(), std::memory_order_relaxed);
}

// Drops what is there if its record is dead; if `full`, also if nobody asked for it lately.
void EncodedObjects::look_at(std::size_t place, bool full) const {
  Place& at = table().places[place];
  std::unique_ptr<Entry> entry = at.take();
  if (!entry) return;
  const bool stays = !entry->record.expired() && (!full || entry->asked_for);
  if (full) entry->asked_for = false;
  if (stays) entry = at.put_back(std::move(entry));
  drop(std::move(entry));
}

// Two rounds of the clock's hand pass everything that nobody asks for meanwhile.
void EncodedObjects::make_room() const {
  const std::size_t size = table().size;
  for (std::size_t looks = 0; looks < 2 * size; ++looks) {
    const bool full = bytes() > limit_;
    if (!full && looks >= kLooksToKeep) return;
    look_at(hand_.fetch_add(1, std::memory_order_relaxed) % size, full);
  }
}

}  // namespace tabernetes::server
