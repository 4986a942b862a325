// Knows which plugins have objects that configure them, without a look into the store for each
// write.
#pragma once

#include <string>
#include <unordered_map>

#include "admission/history_reader.h"
#include "admission/plugin.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {

class ConfiguredPlugins {
 public:
  // REQUIRES: the plugin has `configured_by`; it is the same object in all calls.
  bool has(const Plugin& plugin, const registry::Registry& registry);

 private:
  struct Known {
    std::string prefix;  // of the keys of the objects
    bool present = false;
    bool current = false;
  };

  std::unordered_map<const Plugin*, Known> known_;
  HistoryReader reader_;
};

}  // namespace tabernetes::admission
