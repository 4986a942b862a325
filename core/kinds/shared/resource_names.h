// Names of resources (cpu, requests.memory, hugepages-2Mi, example.com/gpu) and their amounts.
// Source: upstream 1.36 pkg/apis/core/helper/helpers.go, core/validation.
#pragma once

#include <string_view>

#include "kinds/row/rules.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

bool is_huge_page(std::string_view name);
// Returns true for names without a slash, or of kubernetes.io.
bool is_native_resource(std::string_view name);
bool is_extended_resource(std::string_view name);
bool is_standard_resource(std::string_view name);
bool is_standard_quota_resource(std::string_view name);
bool is_standard_container_resource(std::string_view name);
// Returns true for resources with integral amounts.
bool is_integer_resource(std::string_view name);

// Reports the faults of `name` as upstream's validateResourceName, at `place` (where it may be a
// key); returns true if there are none.
bool check_resource_name(const Field& place, std::string_view name);
bool check_container_resource_name(const Field& place, std::string_view name);
// Checks that the quantity at `place` is not negative, and integral if the resource is.
void check_resource_amount(const Field& place, std::string_view name);

// Warns if the amount of `resource` in a list is not a whole number of bytes.
void warn_of_fraction(const Field& list, std::string_view resource, Warnings& out);

}  // namespace tabernetes::registry::kinds
