// Parameters of classes of volumes. Source: upstream 1.36 pkg/apis/storage/validation.
#include "kinds/storage/parameters.h"

#include <string>

#include "base/text/ascii.h"

namespace tabernetes::registry::kinds {
namespace {

void parameters(const Place& place) {
  const Field& map = place.now;
  if (map.size() > 512) return map.too_long(512);
  if (map.empty()) return;
  for (const Field item : map.items()) {
    if (item.name().empty()) map.invalid_string("", "field can not be empty.");
  }
  if (bytes_of(map) > kMaxParameterBytes) map.too_long(kMaxParameterBytes);
}

void lower_qualified(const Place& place) {
  const std::string lower = ascii_lower(place.now.text());
  for (const std::string& fault : qualified_name_faults(lower)) {
    place.now.invalid_string(lower, fault);
  }
}

}  // namespace

std::size_t bytes_of(const Field& map) {
  std::size_t bytes = 0;
  if (map.empty()) return bytes;
  for (const Field item : map.items()) bytes += item.name().size() + item.text().size();
  return bytes;
}

extern const NamedCheck kParametersChecks[] = {
    {"parameters", &parameters},
    {"lower-qualified", &lower_qualified},
};

}  // namespace tabernetes::registry::kinds
