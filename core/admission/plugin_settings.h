// What an AdmissionConfiguration says about plugins. Source: upstream 1.36 apiserver
// pkg/apis/apiserver/v1 (AdmissionConfiguration) and the configurations of the plugins.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admission/image_policy.h"
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
  std::optional<ImagePolicy> image_policy;
  // Who calls the webhooks of MutatingAdmissionWebhook and ValidatingAdmissionWebhook.
  struct Callers {
    std::string kubeconfig;  // the path of a file
    registry::WebhookUsers users;
  };
  std::optional<Callers> mutating_callers, validating_callers;
  json::Arena arena;
  json::Value default_tolerations, tolerations_whitelist;  // null: none
};

// Reads an AdmissionConfiguration, YAML or JSON, with the files that it names. An empty text
// changes nothing. A failure leaves what was read before it.
Expected<void> read_plugin_settings(std::string_view text, const registry::Files& files,
                                    PluginSettings& settings);

}  // namespace tabernetes::admission
