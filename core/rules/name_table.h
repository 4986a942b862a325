// Texts that have been met, each with a value: names of volumes, mount paths. Finds them in
// constant time, however many a request brings; up to sixteen it allocates nothing.
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
  // False if the name was there; its value then stays. The text must outlive the table.
  bool add(std::string_view name, const json::Value* value = nullptr);
  bool has(std::string_view name) const { return find(name) != nullptr; }
  struct Entry {
    std::string_view name;
    const json::Value* value = nullptr;
  };
  // Null if the name is not there.
  const Entry* find(std::string_view name) const;
  bool empty() const { return size_ == 0; }
  // The names in order, parted by ", ".
  std::string sorted() const;

 private:
  static constexpr std::size_t kFew = 16;

  // Where the name is, or would be.
  std::size_t slot_of(std::string_view name) const;

  std::array<Entry, kFew> few_ = {};
  std::size_t size_ = 0;
  std::vector<Entry> many_;           // all of them, once there are more
  std::vector<std::uint32_t> slots_;  // numbers in many_, plus one; open addressing
};

}  // namespace tabernetes::registry::validation
