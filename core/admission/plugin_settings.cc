#include "admission/plugin_settings.h"

#include <algorithm>

#include "admission/plugin.h"
#include "base/api/names.h"
#include "codec/yaml.h"
#include "json/document_part.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using Part = json::DocumentPart;

bool is_of(const Part& part, std::string_view group, std::string_view kind) {
  if (!part["kind"].is_text(kind)) {
    part["kind"].fail("must be " + std::string(kind));
    return false;
  }
  const std::string version = part["apiVersion"].text();
  if (std::string_view(version).substr(0, version.find('/')) == group) return true;
  part["apiVersion"].fail("must be a version of " + std::string(group));
  return false;
}

// --- PodSecurity

void read_level(const Part& defaults, const std::string& mode, LevelVersion& level) {
  if (defaults[mode].given()) {
    const auto read = parse_level(defaults[mode].text());
    if (read) level.level = *read;
    if (!read) defaults[mode].fail("must be one of privileged, baseline, restricted");
  }
  const Part version = defaults[mode + "-version"];
  if (!version.given()) return;
  const auto read = parse_level_version(version.text());
  if (read) level.minor = *read;
  if (!read) version.fail("must be \"latest\" or \"v1.x\"");
}

std::vector<std::string> read_names(const Part& part, bool are_names) {
  std::vector<std::string> names;
  for (const Part& item : part.items()) {
    const std::string name = item.text();
    if (name.empty() || (are_names && !dns1123_subdomain_faults(name).empty())) {
      item.fail("is no name");
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) item.fail("is there twice");
    names.push_back(name);
  }
  return names;
}

void read_pod_security(const Part& part, const registry::Files& /*files*/,
                       PluginSettings& settings) {
  if (!is_of(part, "pod-security.admission.config.k8s.io", "PodSecurityConfiguration")) return;
  part.only({"apiVersion", "kind", "defaults", "exemptions"});
  const Part defaults = part["defaults"];
  defaults.only({"enforce", "enforce-version", "audit", "audit-version", "warn", "warn-version"});
  PodSecuritySettings& read = settings.pod_security;
  read_level(defaults, "enforce", read.defaults.enforce);
  read_level(defaults, "audit", read.defaults.audit);
  read_level(defaults, "warn", read.defaults.warn);
  const Part exemptions = part["exemptions"];
  exemptions.only({"usernames", "runtimeClasses", "namespaces"});
  read.users = read_names(exemptions["usernames"], false);
  read.runtime_classes = read_names(exemptions["runtimeClasses"], true);
  read.namespaces = read_names(exemptions["namespaces"], true);
}

// --- EventRateLimit

void read_event_limit(const Part& part, PluginSettings& settings) {
  part.only({"type", "qps", "burst", "cacheSize"});
  constexpr std::string_view kTypes[] = {"Server", "Namespace", "User", "SourceAndObject"};
  const std::string type = part["type"].text();
  const auto* found = std::find(std::begin(kTypes), std::end(kTypes), type);
  EventLimit limit;
  limit.type = static_cast<EventLimit::Type>(found - std::begin(kTypes));
  if (found == std::end(kTypes)) {
    part["type"].fail("must be Server, Namespace, User or SourceAndObject");
  }
  limit.per_second = part["qps"].number().value_or(0);
  limit.burst = part["burst"].number().value_or(0);
  if (limit.per_second <= 0) part["qps"].fail("must be positive");
  if (limit.burst <= 0) part["burst"].fail("must be positive");
  if (const auto size = part["cacheSize"].number(); size && *size > 0) {
    limit.cache_size = static_cast<std::size_t>(*size);
  }
  settings.event_limits.push_back(limit);
}

void read_event_limits(const Part& part, const registry::Files& /*files*/,
                       PluginSettings& settings) {
  if (!is_of(part, "eventratelimit.admission.k8s.io", "Configuration")) return;
  part.only({"apiVersion", "kind", "limits"});
  const std::vector<Part> limits = part["limits"].items();
  if (limits.empty()) part["limits"].fail("must not be empty");
  for (const Part& limit : limits) read_event_limit(limit, settings);
}

// --- PodTolerationRestriction, PodNodeSelector

void read_tolerations(const Part& part, const registry::Files& /*files*/,
                      PluginSettings& settings) {
  if (!is_of(part, "podtolerationrestriction.admission.k8s.io", "Configuration")) return;
  part.only({"apiVersion", "kind", "default", "whitelist"});
  const auto take = [&](std::string_view name, Value& into) {
    if (!part[name].given()) return;
    if (!part[name].is_list()) return part[name].fail("must be a list of tolerations");
    into = part[name].value();
  };
  take("default", settings.default_tolerations);
  take("whitelist", settings.tolerations_whitelist);
}

void read_node_selectors(const Part& part, const registry::Files& /*files*/,
                         PluginSettings& settings) {
  part.only({"podNodeSelectorPluginConfig"});
  const Part selectors = part["podNodeSelectorPluginConfig"];
  if (!selectors.is_object()) return selectors.fail("must be an object of node selectors");
  for (const json::Member& member : selectors.value().members()) {
    settings.node_selectors.emplace(member.key, selectors[member.key].text());
  }
}

// --- MutatingAdmissionWebhook, ValidatingAdmissionWebhook

std::optional<PluginSettings::Callers> read_callers(const Part& part,
                                                    const registry::Files& files) {
  part.only({"apiVersion", "kind", "kubeConfigFile"});
  const bool alpha = part["apiVersion"].is_text("apiserver.config.k8s.io/v1alpha1");
  if (!is_of(part, "apiserver.config.k8s.io",
             alpha ? "WebhookAdmission" : "WebhookAdmissionConfiguration")) {
    return std::nullopt;
  }
  const std::string path = part["kubeConfigFile"].text();
  if (path.empty()) return std::nullopt;
  if (path.front() != '/') part["kubeConfigFile"].fail("must be an absolute file path");
  auto users = registry::read_webhook_users(path, files);
  if (!users) part["kubeConfigFile"].fail(users.fault().message);
  PluginSettings::Callers callers{path, {}};
  if (users) callers.users = std::move(*users);
  return callers;
}

void read_mutating_callers(const Part& part, const registry::Files& files,
                           PluginSettings& settings) {
  settings.mutating_callers = read_callers(part, files);
}

void read_validating_callers(const Part& part, const registry::Files& files,
                             PluginSettings& settings) {
  settings.validating_callers = read_callers(part, files);
}

// --- ImagePolicyWebhook

void read_images(const Part& part, const registry::Files& files, PluginSettings& settings) {
  settings.image_policy = read_image_policy(part, files);
}

void read_plugin(const Part& part, const registry::Files& files, PluginSettings& settings) {
  struct Row {
    std::string_view name;
    void (*read)(const Part&, const registry::Files&, PluginSettings&);
  };
  static constexpr Row kRows[] = {{"PodSecurity", &read_pod_security},
                                  {"EventRateLimit", &read_event_limits},
                                  {"PodTolerationRestriction", &read_tolerations},
                                  {"PodNodeSelector", &read_node_selectors},
                                  {"ImagePolicyWebhook", &read_images},
                                  {"MutatingAdmissionWebhook", &read_mutating_callers},
                                  {"ValidatingAdmissionWebhook", &read_validating_callers}};
  part.only({"name", "path", "configuration"});
  const std::string name = part["name"].text();
  if (find_plugin(name) == nullptr) return part["name"].fail("is no admission plugin");
  if (part["path"].given() && !part["path"].text().empty()) {
    return part["path"].fail("is not read; put the content into configuration");
  }
  for (const Row& row : kRows) {
    if (row.name == name) return row.read(part["configuration"], files, settings);
  }
  if (part["configuration"].given()) part["configuration"].fail("is not supported for " + name);
}

}  // namespace

Expected<void> read_plugin_settings(std::string_view text, const registry::Files& files,
                                    PluginSettings& settings) {
  if (text.empty()) return {};
  const codec::YamlRead read = codec::read_yaml(settings.arena.copy(text), settings.arena);
  if (!read.ok()) return Fault{read.error};
  std::string error;
  const Part part(&read.value, "AdmissionConfiguration", error);
  if (!part.is_object()) return Fault{"must be an AdmissionConfiguration"};
  if (is_of(part, "apiserver.config.k8s.io", "AdmissionConfiguration")) {
    part.only({"apiVersion", "kind", "plugins"});
    for (const Part& plugin : part["plugins"].items()) read_plugin(plugin, files, settings);
  }
  if (!error.empty()) return Fault{error};
  return {};
}

}  // namespace tabernetes::admission

namespace tabernetes {

Expected<void> check_admission_configuration(std::string_view text,
                                             const std::map<std::string, std::string>& files,
                                             const std::vector<std::string>& enabled) {
  admission::PluginSettings settings;
  if (auto read = admission::read_plugin_settings(text, files, settings); !read) return read;
  // Source: upstream 1.36 apiserver/pkg/admission/plugins.go (InitPlugin).
  constexpr std::string_view kName = "ImagePolicyWebhook";
  const bool wanted = std::find(enabled.begin(), enabled.end(), kName) != enabled.end();
  if (!wanted || settings.image_policy) return {};
  return Fault{"couldn't init admission plugin \"" + std::string(kName) +
               "\": no config specified"};
}

}  // namespace tabernetes
