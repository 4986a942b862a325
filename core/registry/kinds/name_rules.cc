#include "registry/kinds/name_rules.h"

namespace tabernetes::registry {
namespace {

struct NameRow {
  std::string_view group;
  std::string_view plural;  // empty: every resource of the group that has no row before
  NameRules rules;
};

constexpr NameRules kLabelName = {NameFormat::kLabel, 0};
constexpr NameRules kAnyName = {NameFormat::kPathSegment, 0};

constexpr NameRow kNameRows[] = {
    {"", "namespaces", kLabelName},
    {"", "services", kLabelName},
    {"apps", "statefulsets", kLabelName},
    {"batch", "cronjobs", {NameFormat::kSubdomain, 52}},
    {"rbac.authorization.k8s.io", "", kAnyName},
    {"certificates.k8s.io", "certificatesigningrequests", kAnyName},
    {"certificates.k8s.io", "clustertrustbundles", kAnyName},
    {"networking.k8s.io", "ipaddresses", kAnyName},
    {"policy", "poddisruptionbudgets", kAnyName},
    {"apiregistration.k8s.io", "", kAnyName},
};

struct PassesRow {
  std::string_view group;
  std::string_view plurals;  // between spaces; empty: every resource that has no row before
  MetaPasses passes;
};

// Recorded of every kind: tests/conformance/cases/metadata-faults.json.
constexpr PassesRow kPasses[] = {
    {"",
     " configmaps endpoints persistentvolumeclaims pods secrets serviceaccounts ",
     {"CF", "UFCF", "UF"}},
    {"", " namespaces nodes ", {"CF", "CFUF", "UF"}},
    {"", " persistentvolumes ", {"CF", "CFCF", "UF"}},
    {"", " limitranges ", {"CF", "CF", ""}},
    {"", " events ", {"", "", ""}},
    {"", "", {"CF", "UF", "UF"}},
    {"apps", " controllerrevisions ", {"CF", "UFCF", ""}},
    {"apps", "", {"CF", "UF", "UF"}},
    {"batch", " jobs ", {"CF", "CFUF", "UF"}},
    {"batch", "", {"CF", "UF", ""}},
    {"autoscaling", "", {"CF", "UF", "UF"}},
    {"events.k8s.io", "", {"CF", "UF", ""}},
    {"networking.k8s.io", " ingresses ingressclasses ", {"CF", "UFCF", "UF"}},
    {"networking.k8s.io", " ipaddresses ", {"CF", "CFUF", ""}},
    {"networking.k8s.io", "", {"CF", "UF", "UF"}},
    {"discovery.k8s.io", "", {"CF", "CF", ""}},
    {"storage.k8s.io", " volumeattachments csinodes ", {"CF", "CF", ""}},
    {"storage.k8s.io", " volumeattributesclasses ", {"CF", "UFCF", ""}},
    {"storage.k8s.io", " csidrivers ", {"CF", "UF", ""}},
    {"storage.k8s.io", "", {"CF", "CFUF", ""}},
    {"scheduling.k8s.io", "", {"CF", "UF", "UF"}},
    {"rbac.authorization.k8s.io", "", {"CF", "CFUF", ""}},
    {"flowcontrol.apiserver.k8s.io", "", {"CF", "CF", ""}},
    {"certificates.k8s.io", "", {"CF", "CFUF", "CFUF"}},
    {"resource.k8s.io", " resourceslices ", {"CF", "UF", ""}},
    {"resource.k8s.io", "", {"CF", "CFUF", "UF"}},
    {"node.k8s.io", "", {"C", "CU", ""}},
    {"apiregistration.k8s.io", "", {"C", "UC", "U"}},
    {"admissionregistration.k8s.io", "", {"C", "C", ""}},
    {"policy", "", {"", "", ""}},
};

// Of leases, definitions and custom resources.
constexpr MetaPasses kLibraryPasses = {"C", "U", "U"};

bool is_among(std::string_view plurals, std::string_view plural) {
  const std::size_t at = plurals.find(plural);
  return plurals.empty() || (at != std::string_view::npos && at > 0 && plurals[at - 1] == ' ' &&
                             plurals[at + plural.size()] == ' ');
}

// A '-' at the end of a prefix will not be the end of the name: upstream puts a letter for it, and
// for the character before it.
std::string masked(std::string_view prefix) {
  if (prefix.size() < 2 || prefix.back() != '-') return std::string(prefix);
  return std::string(prefix.substr(0, prefix.size() - 2)) + "a";
}

}  // namespace

NameRules name_rules(std::string_view group, std::string_view plural) {
  for (const NameRow& row : kNameRows) {
    if (row.group == group && (row.plural.empty() || row.plural == plural)) return row.rules;
  }
  return {};
}

MetaPasses meta_passes(std::string_view group, std::string_view plural) {
  for (const PassesRow& row : kPasses) {
    if (row.group == group && is_among(row.plurals, plural)) return row.passes;
  }
  return kLibraryPasses;
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
