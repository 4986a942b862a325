#include "registry/crd/label_faults.h"

#include <algorithm>

#include "base/ascii.h"
#include "registry/names.h"

namespace tabernetes::registry::crd {

std::string label_faults(std::string_view text) {
  std::string all;
  for (const std::string& fault : dns1035_label_faults(text)) {
    all.append(all.empty() ? "" : ",").append(fault);
  }
  return all;
}

std::string kind_faults(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(), ascii_lower);
  const std::string faults = label_faults(small);
  return faults.empty() ? faults : "may have mixed case, but should otherwise match: " + faults;
}

void check_label(const validation::Field& at) {
  const std::string faults = label_faults(at.text());
  if (!faults.empty()) at.invalid(faults);
}

void check_label_or_empty(const validation::Field& at) {
  if (!at.text().empty()) check_label(at);
}

}  // namespace tabernetes::registry::crd
