// A registry that asks one admission plugin, for tests of it.
#pragma once

#include <string_view>

#include "../registry_fixture.h"
#include "admission/chain.h"

namespace tabernetes::admission {

class PluginFixture : public tests::RegistryFixture {
 public:
  // REQUIRES: there is a plugin of that name.
  explicit PluginFixture(std::string_view name) : chain_(only(name)) {
    registry.set_admission(chain_);
  }

 private:
  static PluginSet only(std::string_view name) {
    REQUIRE(find_plugin(name) != nullptr);
    PluginSet chosen;
    for (const Plugin& plugin : all_plugins()) chosen.set(plugin.name, plugin.name == name);
    return chosen;
  }

  Chain chain_;
};

}  // namespace tabernetes::admission
