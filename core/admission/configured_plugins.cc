#include "admission/configured_plugins.h"

namespace tabernetes::admission {

bool ConfiguredPlugins::has(const Plugin& plugin, const registry::Registry& registry) {
  const bool followed =
      reader_.follow(registry.store().history(), [this](const store::Event& event) {
        for (auto& [other, known] : known_) {
          if (event.key.starts_with(known.prefix)) known.current = false;
        }
      });
  if (!followed) {
    for (auto& [other, known] : known_) known.current = false;
  }
  Known& known = known_[&plugin];
  if (!known.current) {
    const registry::ObjectReader::Resource& wanted = plugin.configured_by;
    const registry::ResourceType* type =
        registry.resources().find(wanted.group, wanted.version, wanted.plural);
    // A version that is not served configures nothing; which ones are does not change.
    if (type != nullptr) known.prefix = type->collection_prefix({});
    known.present = type != nullptr && registry.any_record_contains(wanted, "");
    known.current = true;
  }
  return known.present;
}

}  // namespace tabernetes::admission
