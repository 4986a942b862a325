#include "kinds/shared/resource_names.h"

#include <string>

#include "base/api/quantity.h"
#include "base/go/text.h"
#include "kinds/shared/checks.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

constexpr std::string_view kRequests = "requests.";
constexpr std::string_view kCounted =
    "pods,resourcequotas,services,replicationcontrollers,secrets,configmaps,persistentvolumeclaims,"
    "services.nodeports,services.loadbalancers";
constexpr std::string_view kMeasured =
    "cpu,memory,ephemeral-storage,requests.cpu,requests.memory,requests.ephemeral-storage,"
    "limits.cpu,limits.memory,limits.ephemeral-storage,requests.storage";

bool is_simple(std::string_view name) { return name.find('/') == std::string_view::npos; }

}  // namespace

bool is_huge_page(std::string_view name) { return name.starts_with("hugepages-"); }

bool is_native_resource(std::string_view name) {
  return is_simple(name) || name.find("kubernetes.io/") != std::string_view::npos;
}

bool is_extended_resource(std::string_view name) {
  if (is_native_resource(name) || name.starts_with(kRequests)) return false;
  return qualified_name_faults(std::string(kRequests) + std::string(name)).empty();
}

bool is_standard_resource(std::string_view name) {
  return listed(kMeasured, name) || listed(kCounted, name) || name == "storage" ||
         is_huge_page(name) || name.starts_with("requests.hugepages-");
}

bool is_standard_quota_resource(std::string_view name) {
  return listed(kCounted, name) || listed(kMeasured, name) || is_huge_page(name) ||
         name.starts_with("requests.hugepages-");
}

bool is_standard_container_resource(std::string_view name) {
  return listed("cpu,memory,ephemeral-storage", name) || is_huge_page(name);
}

bool is_integer_resource(std::string_view name) {
  return !listed(kMeasured, name) && (listed(kCounted, name) || is_extended_resource(name));
}

bool check_resource_name(const Field& place, std::string_view name) {
  const Faults faults = qualified_name_faults(name);
  for (const std::string& fault : faults) place.invalid_string(name, fault);
  if (!faults.empty()) return false;
  if (!is_simple(name) || is_standard_resource(name)) return true;
  place.invalid_string(name, "must be a standard resource type or fully qualified");
  return false;
}

bool check_container_resource_name(const Field& place, std::string_view name) {
  const bool fine = check_resource_name(place, name);
  if (is_simple(name)) {
    if (is_standard_container_resource(name)) return fine;
    place.invalid_string(name, "must be a standard resource for containers");
    return false;
  }
  if (is_native_resource(name) || is_extended_resource(name)) return fine;
  place.invalid_string(name, "doesn't follow extended resource name standard");
  return false;
}

void check_resource_amount(const Field& place, std::string_view name) {
  const bool whole = is_integer_resource(name);
  if (!whole && !place.text().starts_with('-')) return;
  const Quantity amount = quantity_of(place);
  if (amount.sign() < 0) place.invalid("must be greater than or equal to 0");
  if (whole && amount.milli_value() % 1000 != 0) {
    place.invalid("must be an integer");
  }
}

void warn_of_fraction(const Field& list, std::string_view resource, Warnings& out) {
  const Value* value = list.find(resource);
  if (value == nullptr || !value->is_string()) return;
  std::string_view error;
  const auto quantity = Quantity::parse(value->as_string(), error);
  if (!quantity || quantity->milli_value() % 1000 == 0) return;
  out.at(list.key(resource), {"fractional byte value ", go_quote(quantity->to_string()),
                              " is invalid, must be an integer"});
}

}  // namespace tabernetes::registry::kinds
