// Admission plugins: rows of plugin_table.cc. docs/adding-a-plugin.md shows how to add one.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "base/api/result.h"
#include "registry/kind/admission.h"
#include "registry/kind/strategy.h"

namespace tabernetes::admission {

using registry::AdmissionRequest;

struct PluginState;

class Operations {
 public:
  constexpr Operations() = default;
  constexpr Operations(std::initializer_list<registry::Operation> all) {
    for (const registry::Operation one : all) bits_ |= bit(one);
  }
  constexpr bool has(registry::Operation one) const { return (bits_ & bit(one)) != 0; }

 private:
  static constexpr std::uint8_t bit(registry::Operation one) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(one));
  }
  std::uint8_t bits_ = 0;
};

// A resource, or one of its subresources.
struct Target {
  std::string_view group, plural, subresource = {};
};

// A phase of a plugin. `state` is the chain's; see plugin_state.h.
using Phase = Result<void> (*)(const AdmissionRequest& request, PluginState& state);

struct Plugin {
  std::string_view name;
  bool on = false;                       // enabled by default
  Operations operations = {};            // operations that it handles
  std::span<const Target> targets = {};  // resources that it handles; empty: all
  bool loads = false;                    // also runs for objects from manifests
  // The resource that configures it: the plugin is skipped while there are no such objects. Unset:
  // never skipped.
  registry::ObjectReader::Resource configured_by = {};
  Phase mutate = nullptr;
  Phase validate = nullptr;
  bool asks = false;  // a webhook that its settings name
};

// Returns the plugins of kube-apiserver 1.36, in the order in which they run. Those without phases
// do nothing.
std::span<const Plugin> all_plugins();

// Returns null for an unknown name.
const Plugin* find_plugin(std::string_view name);

// The set of enabled plugins.
class PluginSet {
 public:
  // Enables the default plugins.
  PluginSet();
  bool has(std::string_view name) const;
  // Ignores an unknown name.
  void set(std::string_view name, bool on);

 private:
  std::uint64_t bits_ = 0;  // by index in the table
};

}  // namespace tabernetes::admission
