// A registry that asks one admission plugin, for tests of it.
#pragma once

#include <string_view>

#include "../registry_fixture.h"
#include "admission/chain.h"

namespace tabernetes::admission {

class PluginFixture : public tests::RegistryFixture {
 public:
  // REQUIRES: there is a plugin of that name.
  explicit PluginFixture(std::string_view name) { registry.set_admission(chain_, only(name)); }

 private:
  static registry::Plugins only(std::string_view name) {
    const auto wanted = registry::plugin_named(name);
    REQUIRE(wanted);
    registry::Plugins chosen;
    for (int i = 0; i <= static_cast<int>(registry::Plugin::kAlwaysDeny); ++i) {
      const auto plugin = static_cast<registry::Plugin>(i);
      chosen.set(plugin, plugin == *wanted);
    }
    return chosen;
  }

  Chain chain_;
};

}  // namespace tabernetes::admission
