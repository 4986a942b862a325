// A cache of decoded metadata.managedFields entries, so that the next write to the same object need
// not decode them again.
//
// A list of entries is identified by its address in a tree, a stored object by its record, which is
// immutable: cached entries are never stale. Used only by the one writer; a fork starts empty.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "json/value.h"
#include "patch/managed_fields.h"
#include "store/record.h"

namespace tabernetes::registry {

class ManagedFieldsCache {
 public:
  // Limits: objects, and bytes of their entries. The oldest are evicted.
  static constexpr std::size_t kMostObjects = 512;
  static constexpr std::size_t kMostBytes = 2 * 1024 * 1024;

  // The scope of a write to a stored object, read as `object`. Entries recorded during it are
  // dropped at its end; scopes may nest. REQUIRES: the trees whose lists are recorded live as long.
  class Write {
   public:
    Write(ManagedFieldsCache& cache, const store::RecordPtr& stored, const json::Value& object);
    ~Write() { cache_.notes_.resize(notes_); }
    Write(const Write&) = delete;
    Write& operator=(const Write&) = delete;

   private:
    ManagedFieldsCache& cache_;
    std::size_t notes_;  // size of notes_ at the start of this write
  };

  // Returns the entries of a list, cached or decoded; nullopt if they cannot be decoded.
  std::optional<patch::ManagedFields> read(const json::Value& list);
  // Records the entries of a list, in its order. Does nothing outside of a write.
  void note(const json::Value& list, patch::ManagedFields entries);

  // Caches the recorded entries of `object`, which is now stored as `record`; that may be the same
  // as `old`.
  void keep(const store::RecordPtr& record, const store::RecordPtr& old, const json::Value& object);

  bool has(const store::RecordPtr& record) const { return place_of(record) < places_.size(); }
  std::size_t objects() const;
  std::size_t bytes() const { return bytes_; }

 private:
  using Entries = std::shared_ptr<patch::ManagedFields>;
  struct Note {
    const json::Value* list = nullptr;  // address of its first item
    Entries entries;
  };
  struct Kept {
    std::weak_ptr<const store::Record> record;
    Entries entries;
    std::size_t bytes = 0;
  };
  Entries noted(const json::Value& list) const;
  std::size_t place_of(const store::RecordPtr& record) const;  // places_.size() if missing
  std::size_t next_place();
  void drop(std::size_t place);

  std::vector<Note> notes_;  // of the current writes
  // A ring once it is full. The addresses are a separate array because they are searched. The weak
  // pointers in `kept_` detect a new record at the address of a freed one.
  std::vector<const store::Record*> places_;
  std::vector<Kept> kept_;
  std::size_t oldest_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace tabernetes::registry
