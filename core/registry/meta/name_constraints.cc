#include "registry/meta/name_constraints.h"

#include <string>

namespace tabernetes::registry {
namespace {

// Replaces a '-' at the end and the character before it by a letter, as upstream does: the '-' will
// not be the end of the generated name.
std::string masked(std::string_view prefix) {
  if (prefix.size() < 2 || prefix.back() != '-') return std::string(prefix);
  return std::string(prefix.substr(0, prefix.size() - 2)) + "a";
}

}  // namespace

Faults name_faults(const NameConstraints& constraints, std::string_view name) {
  Faults faults;
  switch (constraints.format) {
    case NameFormat::kSubdomain:
      faults = dns1123_subdomain_faults(name);
      break;
    case NameFormat::kLabel:
      faults = dns1123_label_faults(name);
      break;
    case NameFormat::kLabel1035:
      faults = dns1035_label_faults(name);
      break;
    case NameFormat::kPathSegment:
      faults = path_segment_faults(name);
      break;
  }
  if (constraints.max_length != 0 && name.size() > constraints.max_length) {
    faults.push_back("must be no more than " + std::to_string(constraints.max_length) +
                     " characters");
  }
  return faults;
}

Faults name_prefix_faults(const NameConstraints& constraints, std::string_view prefix) {
  switch (constraints.format) {
    case NameFormat::kSubdomain:
      return dns1123_subdomain_faults(masked(prefix));
    case NameFormat::kLabel:
      return dns1123_label_faults(masked(prefix));
    case NameFormat::kLabel1035:
      return dns1035_label_faults(masked(prefix));
    case NameFormat::kPathSegment:
      return path_segment_prefix_faults(prefix);
  }
  return {};
}

}  // namespace tabernetes::registry
