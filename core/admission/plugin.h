// What an admission plugin is: a row of plugin_table.cc. docs/adding-a-plugin.md shows how to add
// one.
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

struct Memory;

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

// One phase of a plugin. `memory` is the chain's; see memory.h.
using Phase = Result<void> (*)(const AdmissionRequest& request, Memory& memory);

struct Plugin {
  std::string_view name;
  bool on = false;                       // by default
  Operations operations = {};            // which it is asked about
  std::span<const Target> targets = {};  // which it is asked about; empty: all
  bool loads = false;                    // also asked about what a manifest brings
  // The objects that configure it: it is skipped while none are stored. Unset: always asked.
  registry::ObjectReader::Resource rules = {};
  Phase mutate = nullptr;
  Phase validate = nullptr;
};

// Returns the plugins of kube-apiserver 1.36 in the order in which they are asked. Those without
// phases do nothing here yet.
std::span<const Plugin> all_plugins();

// Returns null for a name that is none.
const Plugin* find_plugin(std::string_view name);

// Which of all plugins run.
class PluginSet {
 public:
  // Those that are on by default.
  PluginSet();
  bool has(std::string_view name) const;
  // Ignores a name that is none.
  void set(std::string_view name, bool on);

 private:
  std::uint64_t bits_ = 0;  // by their place in the table
};

}  // namespace tabernetes::admission
