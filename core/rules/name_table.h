// A table of names (of volumes, mount paths) with a value each. Lookups take constant time; up to
// sixteen names need no allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace tabernetes::registry::validation {

class NameTable {
 public:
  // Adds a name; returns false, and keeps the old value, if it exists. The text must outlive the
  // table.
  bool add(std::string_view name, const json::Value* value = nullptr);
  bool has(std::string_view name) const { return find(name) != nullptr; }
  struct Entry {
    std::string_view name;
    const json::Value* value = nullptr;
  };
  // Returns the entry, or null.
  const Entry* find(std::string_view name) const;
  bool empty() const { return size_ == 0; }
  // Returns the names sorted and joined with ", ".
  std::string sorted() const;

 private:
  static constexpr std::size_t kFew = 16;

  // Returns the slot of the name, or the free one for it.
  std::size_t slot_of(std::string_view name) const;

  std::array<Entry, kFew> few_ = {};
  std::size_t size_ = 0;
  std::vector<Entry> many_;           // all entries, once there are more than kFew
  std::vector<std::uint32_t> slots_;  // indices into many_, plus one; open addressing
};

}  // namespace tabernetes::registry::validation
