#include "registry/ownership/managed_fields_cache.h"

#include <algorithm>
#include <cassert>

#include "patch/kept_fields.h"

namespace tabernetes::registry {
namespace {

using json::Value;
using patch::ManagedFields;
using patch::ManagedFieldsEntry;

// Returns true if two entries have the same identity; decoding keeps only the last of them.
bool has_duplicate_identity(const ManagedFields& entries) {
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
    const auto is_twin = [&](const ManagedFieldsEntry& other) {
      return other.manager == entry->manager && other.operation == entry->operation &&
             other.subresource == entry->subresource &&
             (other.api_version == entry->api_version ||
              entry->operation == ManagedFieldsEntry::Operation::kApply);
    };
    if (std::any_of(entry + 1, entries.end(), is_twin)) return true;
  }
  return false;
}

// Makes the entries equal to decoded ones and independent of trees; returns their size in bytes.
std::size_t make_independent(ManagedFields& entries) {
  std::size_t bytes = 0;
  for (ManagedFieldsEntry& entry : entries) {
    if (entry.kept == nullptr || !entry.kept->fields().shares(entry.fields)) {
      entry.kept = std::make_shared<const patch::KeptFields>(entry.fields);
      entry.fields = entry.kept->fields();
    }
    if (entry.time) entry.time = Time::from_unix_milliseconds(entry.time->unix_seconds() * 1000);
    bytes += sizeof entry + entry.manager.size() + entry.api_version.size() + entry.kept->bytes();
  }
  return bytes;
}

}  // namespace

ManagedFieldsCache::Write::Write(ManagedFieldsCache& cache, const store::RecordPtr& stored,
                                 const Value& object)
    : cache_(cache), notes_(cache.notes_.size()) {
  Note& note = cache.notes_.emplace_back();
  const Value* list = object.at({"metadata", "managedFields"});
  const std::size_t place = cache.place_of(stored);
  if (list == nullptr || !list->is_array() || place == cache.places_.size()) return;
  note = {list->items().begin(), cache.kept_[place].entries};
}

ManagedFieldsCache::Entries ManagedFieldsCache::noted(const Value& list) const {
  if (!list.is_array()) return nullptr;
  const Value* const first = list.items().begin();
  const auto note = std::find_if(notes_.rbegin(), notes_.rend(),
                                 [&](const Note& each) { return each.list == first; });
  return note == notes_.rend() ? nullptr : note->entries;
}

std::optional<ManagedFields> ManagedFieldsCache::read(const Value& list) {
  if (const Entries entries = noted(list)) {
    assert(patch::read_managed_fields(list) == *entries);
    return *entries;
  }
  auto entries = patch::read_managed_fields(list);
  if (entries) note(list, *entries);
  return entries;
}

void ManagedFieldsCache::note(const Value& list, ManagedFields entries) {
  if (notes_.empty() || !list.is_array()) return;
  notes_.push_back({list.items().begin(), std::make_shared<ManagedFields>(std::move(entries))});
}

std::size_t ManagedFieldsCache::place_of(const store::RecordPtr& record) const {
  std::size_t place = 0;
  for (; place < places_.size(); ++place) {
    if (places_[place] != record.get()) continue;
    const auto& kept = kept_[place].record;
    if (!kept.owner_before(record) && !record.owner_before(kept)) break;
  }
  return place;
}

std::size_t ManagedFieldsCache::next_place() {
  if (places_.size() < kMostObjects) {
    places_.push_back(nullptr);
    kept_.emplace_back();
    return places_.size() - 1;
  }
  const std::size_t place = oldest_++ % kMostObjects;
  drop(place);
  return place;
}

void ManagedFieldsCache::drop(std::size_t place) {
  bytes_ -= kept_[place].bytes;
  kept_[place] = {};
  places_[place] = nullptr;
}

void ManagedFieldsCache::keep(const store::RecordPtr& record, const store::RecordPtr& old,
                              const Value& object) {
  std::size_t place = place_of(old);
  const bool known = place < places_.size();
  if (known && record == old) return;
  const Value* list = object.at({"metadata", "managedFields"});
  const Entries entries = list == nullptr ? nullptr : noted(*list);
  if (known) drop(place);
  if (entries == nullptr || has_duplicate_identity(*entries)) return;
  if (!known) place = next_place();
  const std::size_t bytes = make_independent(*entries);
  places_[place] = record.get();
  kept_[place] = {record, entries, bytes};
  bytes_ += bytes;
  while (bytes_ > kMostBytes) drop(oldest_++ % places_.size());
}

std::size_t ManagedFieldsCache::objects() const {
  return places_.size() -
         static_cast<std::size_t>(std::count(places_.begin(), places_.end(), nullptr));
}

}  // namespace tabernetes::registry
