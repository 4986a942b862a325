// The stored objects that configure admission: webhook configurations, policies and their bindings.
// Each is read once for each of its versions.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "admission/history_reader.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {

// A stored object. Immutable.
struct Configuration {
  store::RecordPtr record;
  json::Arena arena;
  json::Value object;

  std::string_view name() const;
};
using ConfigurationPtr = std::shared_ptr<const Configuration>;

class Configurations {
 public:
  // Reads what has changed in the store. Returns a number that changes with every change.
  std::uint64_t follow(const registry::Registry& registry);

  // Calls `visit` with the objects of a resource, in the order of their names. Objects without
  // metadata are left out.
  void each(std::string_view plural,
            const std::function<void(const ConfigurationPtr&)>& visit) const;
  // Returns null if there is none.
  ConfigurationPtr find(std::string_view plural, std::string_view name) const;

 private:
  void put(const registry::Registry& registry, std::string_view key,
           const store::RecordPtr& record);

  std::map<std::string, ConfigurationPtr, std::less<>> objects_;  // by key
  std::uint64_t changes_ = 0;
  HistoryReader reader_;
};

}  // namespace tabernetes::admission
