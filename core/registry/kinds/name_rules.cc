#include "registry/kinds/name_rules.h"

namespace tabernetes::registry {
namespace {

struct Row {
  std::string_view group;
  std::string_view plural;  // empty: every resource of the group that has no row before
  NameRules rules;
};

constexpr NameRules kLabelName = {NameFormat::kLabel, 0, MetaCheck::kKubernetes};
constexpr NameRules kAnyName = {NameFormat::kPathSegment, 0, MetaCheck::kKubernetes};
constexpr NameRules kLibrary = {NameFormat::kSubdomain, 0, MetaCheck::kLibrary};

constexpr Row kRows[] = {
    {"", "namespaces", kLabelName},
    {"", "services", kLabelName},
    {"apps", "statefulsets", kLabelName},
    {"batch", "cronjobs", {NameFormat::kSubdomain, 52, MetaCheck::kKubernetes}},
    {"rbac.authorization.k8s.io", "", kAnyName},
    {"certificates.k8s.io", "certificatesigningrequests", kAnyName},
    {"certificates.k8s.io", "clustertrustbundles", kAnyName},
    {"networking.k8s.io", "ipaddresses", kAnyName},
    {"policy", "poddisruptionbudgets", {NameFormat::kPathSegment, 0, MetaCheck::kGenericOnly}},
    {"apiregistration.k8s.io", "", {NameFormat::kPathSegment, 0, MetaCheck::kLibrary}},
    {"admissionregistration.k8s.io", "", kLibrary},
    {"apiextensions.k8s.io", "", kLibrary},
    {"coordination.k8s.io", "", kLibrary},
};

// A '-' at the end of a prefix will not be the end of the name: upstream puts a letter for it, and
// for the character before it.
std::string masked(std::string_view prefix) {
  if (prefix.size() < 2 || prefix.back() != '-') return std::string(prefix);
  return std::string(prefix.substr(0, prefix.size() - 2)) + "a";
}

}  // namespace

NameRules name_rules(std::string_view group, std::string_view plural) {
  for (const Row& row : kRows) {
    if (row.group == group && (row.plural.empty() || row.plural == plural)) return row.rules;
  }
  return {};
}

Faults name_faults(const NameRules& rules, std::string_view name) {
  Faults faults;
  switch (rules.format) {
    case NameFormat::kSubdomain:
      faults = dns1123_subdomain_faults(name);
      break;
    case NameFormat::kLabel:
      faults = dns1123_label_faults(name);
      break;
    case NameFormat::kPathSegment:
      faults = path_segment_faults(name);
      break;
  }
  if (rules.max_length != 0 && name.size() > rules.max_length) {
    faults.push_back("must be no more than " + std::to_string(rules.max_length) + " characters");
  }
  return faults;
}

Faults name_prefix_faults(const NameRules& rules, std::string_view prefix) {
  switch (rules.format) {
    case NameFormat::kSubdomain:
      return dns1123_subdomain_faults(masked(prefix));
    case NameFormat::kLabel:
      return dns1123_label_faults(masked(prefix));
    case NameFormat::kPathSegment:
      return path_segment_prefix_faults(prefix);
  }
  return {};
}

}  // namespace tabernetes::registry
