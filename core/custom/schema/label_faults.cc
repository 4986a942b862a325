#include "custom/schema/label_faults.h"

#include "base/api/names.h"
#include "base/text/ascii.h"
#include "base/text/parts.h"

namespace tabernetes::registry::custom {

std::string label_errors(std::string_view text) { return join(dns1035_label_faults(text), ","); }

std::string kind_errors(std::string_view text) {
  const std::string faults = label_errors(ascii_lower(text));
  return faults.empty() ? faults : "may have mixed case, but should otherwise match: " + faults;
}

void check_label(const validation::Field& at) {
  const std::string faults = label_errors(at.text());
  if (!faults.empty()) at.invalid(faults);
}

void check_label_or_empty(const validation::Field& at) {
  if (!at.text().empty()) check_label(at);
}

}  // namespace tabernetes::registry::custom
