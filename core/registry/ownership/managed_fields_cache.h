// The entries of metadata.managedFields that writes have read or made, so that the next write to
// the same object need not read them again.
//
// A list of entries is told by where it stands in a tree, a stored object by its record, which
// never changes: what is at hand is never out of date. Only the one writer comes here; a fork
// begins with nothing.
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
  // What is kept at most: objects, and bytes of their entries. The oldest give way.
  static constexpr std::size_t kMostObjects = 512;
  static constexpr std::size_t kMostBytes = 2 * 1024 * 1024;

  // A write to a stored object, read as `object`. What is noted while it lasts is forgotten at its
  // end; one may lie within another. REQUIRES: the trees whose lists are noted live as long.
  class Write {
   public:
    Write(ManagedFieldsCache& cache, const store::RecordPtr& stored, const json::Value& object);
    ~Write() { cache_.notes_.resize(notes_); }
    Write(const Write&) = delete;
    Write& operator=(const Write&) = delete;

   private:
    ManagedFieldsCache& cache_;
    std::size_t notes_;  // of the writes that this one lies in
  };

  // The entries of a list: those at hand, else read. Nothing: they cannot be read.
  std::optional<patch::ManagedFields> read(const json::Value& list);
  // What a list shows, in its order. Nothing is noted outside of a write.
  void note(const json::Value& list, patch::ManagedFields entries);

  // `object` is stored as this record from now on, which may be `old` as before: its entries are
  // kept if they are at hand.
  void keep(const store::RecordPtr& record, const store::RecordPtr& old, const json::Value& object);

  bool has(const store::RecordPtr& record) const { return place_of(record) < places_.size(); }
  std::size_t objects() const;
  std::size_t bytes() const { return bytes_; }

 private:
  using Entries = std::shared_ptr<patch::ManagedFields>;
  struct Note {
    const json::Value* list = nullptr;  // its first item
    Entries entries;
  };
  struct Kept {
    std::weak_ptr<const store::Record> record;
    Entries entries;
    std::size_t bytes = 0;
  };
  Entries noted(const json::Value& list) const;
  std::size_t place_of(const store::RecordPtr& record) const;  // places_.size(): none
  std::size_t next_place();
  void drop(std::size_t place);

  std::vector<Note> notes_;  // of the writes that go on
  // A ring once it is full. The addresses stand apart because they are looked through; a record
  // that comes to be where another was is another one.
  std::vector<const store::Record*> places_;
  std::vector<Kept> kept_;
  std::size_t oldest_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace tabernetes::registry
