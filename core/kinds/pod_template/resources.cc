// Requests and limits of containers and pods. Source: upstream 1.36
// pkg/apis/core/validation/validation.go, validateResourceRequirements,
// validatePodResourceConsistency; component-helpers resource, AggregateContainerRequests.
#include <string>
#include <utility>

#include "base/api/quantity.h"
#include "kinds/pod_template/pod_scope.h"
#include "kinds/shared/resource_names.h"

namespace tabernetes::registry::kinds {
namespace {

bool is_overcommitted(std::string_view name) {
  return is_native_resource(name) && !is_huge_page(name);
}

Quantity quantity_at(const Field& field) {
  std::string_view error;
  return Quantity::parse(field.text(), error).value_or(Quantity());
}

void validate_page_multiple(const Field& amount, std::string_view name) {
  if (!is_huge_page(name)) return;
  std::string_view error;
  const auto size = Quantity::parse(name.substr(name.find('-') + 1), error);
  if (size && size->sign() > 0 && size->milli_value() % 1000 == 0 &&
      quantity_at(amount).value() % size->value() == 0) {
    return;
  }
  amount.invalid(std::string(amount.text()) + " is not positive integer multiple of " +
                 std::string(name));
}

bool check_pod_resource_name(const Field& place, std::string_view name) {
  if (!check_resource_name(place, name)) return false;
  if (listed("cpu,memory", name) || is_huge_page(name)) return true;
  const json::Value shown = json::Value::string(name);
  place.with(Field(shown, place.errors())).not_supported("cpu,hugepages-,memory");
  return false;
}

using NameRule = bool (*)(const Field&, std::string_view);

// The sorts of resources in a list.
struct Kinds {
  bool computes = false;  // cpu or memory
  bool huge_pages = false;
};

Kinds validate_amounts(const Field& amounts, NameRule name_rule) {
  Kinds kinds;
  for (const Field amount : amounts.items()) {
    const std::string_view name = amount.name();
    name_rule(amount, name);
    check_resource_amount(amount, name);
    validate_page_multiple(amount, name);
    if (is_huge_page(name)) kinds.huge_pages = true;
    if (listed("cpu,memory", name)) kinds.computes = true;
  }
  return kinds;
}

void validate_against_limit(const Field& request, const Field& requests, const Field& limits) {
  const std::string_view name = request.name();
  const bool free = is_overcommitted(name);
  if (!limits.has(name)) {
    if (!free) limits.required("Limit must be set for non overcommitable resources");
    return;
  }
  const Field limit = limits[name];
  if (request.is(limit.text())) return;
  const int order = quantity_at(request).compare(quantity_at(limit));
  if (order == 0 || (free && order < 0)) return;
  requests.invalid_printed(
      request.printed(),
      std::string(free ? "must be less than or equal to " : "must be equal to ") +
          std::string(name) + " limit of " + std::string(limit.text()));
}

void not_a_claim(const Field& claim, std::string_view name, const NameTable& claims) {
  std::string detail = "Not found: \"" + std::string(name) +
                       "\": must be one of the names in pod.spec.resourceClaims";
  if (claims.empty()) {
    detail += " which is empty";
  } else {
    detail += ": " + claims.sorted();
  }
  claim.errors().push_back({"FieldValueNotFound", claim.path().text(), std::move(detail)});
}

// Rejects a claim that is listed both as a whole and with one of its requests.
void validate_claims(const Field& list, const NameTable& claims) {
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    const Field claim = list.item(i);
    const std::string_view name = claim.text_at("name");
    const std::string_view request = claim.text_at("request");
    if (name.empty()) {
      claim.required();
      continue;
    }
    bool whole = false;
    bool same = false;
    bool part = false;
    for (std::uint32_t j = 0; j < i && i < 256; ++j) {
      const Field other = list.item(j);
      if (other.text_at("name") != name) continue;
      const std::string_view others = other.text_at("request");
      if (others.empty()) whole = true;
      if (others == request) same = true;
      if (!others.empty()) part = true;
    }
    if (whole) {
      claim.duplicate_as(claim["name"].printed());
    } else {
      if (!request.empty()) claim["request"].format(dns1123_label_faults);
      if (same) {
        claim.duplicate_as("\"" + std::string(name) + "/" + std::string(request) + "\"");
      } else if (request.empty() && part) {
        claim.duplicate_as(claim["name"].printed());
      }
    }
    if (!claims.has(name)) not_a_claim(claim, name, claims);
  }
}

void validate_requirements(const Field& resources, NameRule name_rule, const NameTable& claims) {
  const Field limits = resources["limits"];
  const Field requests = resources["requests"];
  const Kinds limited = validate_amounts(limits, name_rule);
  Kinds requested;
  for (const Field request : requests.items()) {
    const std::string_view name = request.name();
    name_rule(request, name);
    check_resource_amount(request, name);
    validate_against_limit(request, requests, limits);
    validate_page_multiple(request, name);
    if (is_huge_page(name)) requested.huge_pages = true;
    if (listed("cpu,memory", name)) requested.computes = true;
  }
  if (!limited.computes && !requested.computes && (limited.huge_pages || requested.huge_pages)) {
    resources.forbidden("HugePages require cpu or memory");
  }
  validate_claims(resources["claims"], claims);
}

// --- Pod-level resources

// Returns the total of a resource: the sum of the containers that run together, or the need of an
// init container if that is larger. `list` is requests or limits.
Quantity aggregate(const Field& spec, std::string_view list, std::string_view name) {
  const auto of = [&](const Field& container) {
    const Field resources = container["resources"];
    const Field amounts = resources[list];
    return quantity_at(amounts[name]);
  };
  Quantity total;
  const Field containers = spec["containers"];
  for (const Field container : containers.items()) total.add(of(container));
  Quantity sidecars;
  Quantity most;
  const Field starters = spec["initContainers"];
  for (const Field container : starters.items()) {
    Quantity needed = of(container);
    if (container["restartPolicy"].is("Always")) {
      total.add(needed);
      sidecars.add(needed);
      needed = sidecars;
    } else {
      needed.add(sidecars);
    }
    if (needed.compare(most) > 0) most = needed;
  }
  return most.compare(total) > 0 ? most : total;
}

void validate_aggregates(const Field& spec, const Field& amounts, std::string_view list,
                         bool huge_pages_only) {
  for (const Field amount : amounts.items()) {
    if (huge_pages_only && !is_huge_page(amount.name())) continue;
    const Quantity needed = aggregate(spec, list, amount.name());
    const Quantity given = quantity_at(amount);
    if (given.sign() < 0 || needed.compare(given) <= 0) continue;
    amount.invalid("must be greater than or equal to aggregate container " + std::string(list) +
                   " of " + needed.to_string());
  }
}

}  // namespace

void validate_container_resources(const Field& resources, const NameTable& claims) {
  validate_requirements(resources, check_container_resource_name, claims);
}

void validate_resource_limits(const Field& place, const Field& limits) {
  const Field shown = place.as("limits", limits);
  const Kinds kinds = validate_amounts(shown, check_container_resource_name);
  if (kinds.huge_pages && !kinds.computes) place.forbidden("HugePages require cpu or memory");
}

void validate_pod_resources(const PodScope& scope) {
  const Field resources = scope.spec["resources"];
  if (!resources.present()) return;
  const Field os = scope.spec["os"];
  if (os["name"].is("windows")) return resources.forbidden("may not be set for a windows pod");
  if (resources.has("claims")) {
    resources["claims"].forbidden("claims may not be set for Resources at pod-level");
  }
  validate_requirements(resources, check_pod_resource_name, scope.claims);
  const Field requests = resources["requests"];
  const Field limits = resources["limits"];
  validate_aggregates(scope.spec, requests, "requests", false);
  validate_aggregates(scope.spec, limits, "limits", true);
  const Field containers = scope.spec["containers"];
  const Field list = resources.as("containers", containers);
  for (const Field container : list.items()) {
    const Field own = container["resources"];
    const Field own_limits = own["limits"];
    for (const Field limit : own_limits.items()) {
      if (!limits.has(limit.name())) continue;
      const Field whole = limits[limit.name()];
      if (quantity_at(limit).compare(quantity_at(whole)) <= 0) continue;
      const Field place = container.key(limit.name());
      place.as("limits", limit)
          .invalid("must be less than or equal to pod limits of " + std::string(whole.text()));
    }
  }
}

}  // namespace tabernetes::registry::kinds
