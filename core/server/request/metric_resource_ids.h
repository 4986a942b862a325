// Numbers for custom resources that last as long as the process: counts of a kind outlive its
// definition, and continue if the definition comes back.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <string>

#include "schema/schema.h"

namespace tabernetes::server {

struct MetricResource {
  std::string group, version, plural;
};

// Lock-free and safe on any thread.
class MetricResourceIds {
 public:
  MetricResourceIds() = default;
  MetricResourceIds(const MetricResourceIds&) = delete;
  MetricResourceIds& operator=(const MetricResourceIds&) = delete;
  ~MetricResourceIds();

  // Returns a number from kFirst on, or 0 if there is no room for another name.
  std::size_t number_of(const schema::Resource& resource) const;
  // Returns null if the number is not a custom resource's.
  const MetricResource* find(std::size_t number) const;

 private:
  static constexpr std::size_t kFirst = 2048;  // beyond all indexes in the ResourceTable
  static constexpr std::size_t kRoom = 512;

  mutable std::array<std::atomic<const MetricResource*>, kRoom> names_{};
};

}  // namespace tabernetes::server
