// Numbers for custom resources, as long as the process lasts: what is counted of a kind outlives
// its definition, and a definition that comes back goes on counting.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <string>

#include "schema/schema.h"

namespace tabernetes::server {

struct CountedName {
  std::string group, version, plural;
};

// Any thread may ask; nobody waits.
class CountedNames {
 public:
  CountedNames() = default;
  CountedNames(const CountedNames&) = delete;
  CountedNames& operator=(const CountedNames&) = delete;
  ~CountedNames();

  // From kFirst on; 0 if there is no room for another name.
  std::size_t number_of(const schema::Resource& resource) const;
  // Null: it is no number of a custom resource.
  const CountedName* find(std::size_t number) const;

 private:
  static constexpr std::size_t kFirst = 2048;  // beyond all places in the ResourceTable
  static constexpr std::size_t kRoom = 512;

  mutable std::array<std::atomic<const CountedName*>, kRoom> names_{};
};

}  // namespace tabernetes::server
