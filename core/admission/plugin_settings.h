// What an AdmissionConfiguration says about plugins. Source: upstream 1.36 apiserver
// pkg/apis/apiserver/v1 (AdmissionConfiguration) and the configurations of the plugins.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "admission/pod_security_policy.h"
#include "json/value.h"
#include "tabernetes/expected.h"

namespace tabernetes::admission {

struct EventLimit {
  enum class Type : std::uint8_t { kServer, kNamespace, kUser, kSourceAndObject };
  Type type = Type::kServer;
  std::int64_t per_second = 1, burst = 1;
  std::size_t cache_size = 4096;
};

struct PodSecuritySettings {
  PodSecurityPolicy defaults;
  std::vector<std::string> users, runtime_classes, namespaces;  // that are exempt
};

struct PluginSettings {
  PodSecuritySettings pod_security;
  std::vector<EventLimit> event_limits;
  // Node selectors by namespace; that of "clusterDefaultNodeSelector" holds for the others.
  std::map<std::string, std::string, std::less<>> node_selectors;
  json::Arena arena;
  json::Value default_tolerations, tolerations_whitelist;  // null: none
};

// Reads an AdmissionConfiguration, YAML or JSON. An empty text changes nothing.
Expected<void> read_plugin_settings(std::string_view text, PluginSettings& settings);

}  // namespace tabernetes::admission
