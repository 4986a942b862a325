// What a resource may be called (cpu, requests.memory, hugepages-2Mi, example.com/gpu), and which
// amounts it takes. Source: upstream 1.36 pkg/apis/core/helper/helpers.go, core/validation.
#pragma once

#include <string_view>

#include "rules/field.h"

namespace tabernetes::registry::validation {

bool is_huge_page(std::string_view name);
// Without a slash, or of kubernetes.io.
bool is_native_resource(std::string_view name);
bool is_extended_resource(std::string_view name);
bool is_standard_resource(std::string_view name);
bool is_standard_quota_resource(std::string_view name);
bool is_standard_container_resource(std::string_view name);
// Counted in whole ones.
bool is_integer_resource(std::string_view name);

// Faults of `name` as upstream's validateResourceName, shown at `place` (at which it may stand as
// a key); true if there was none.
bool check_resource_name(const Field& place, std::string_view name);
bool check_container_resource_name(const Field& place, std::string_view name);
// The quantity at `place` is not negative, and whole where the resource is counted.
void check_resource_amount(const Field& place, std::string_view name);

}  // namespace tabernetes::registry::validation
