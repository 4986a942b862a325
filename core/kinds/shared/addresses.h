// IP addresses and ranges in objects.
#pragma once

#include <string_view>

#include "kinds/row/rules.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

// Returns false for texts that are not addresses.
bool is_v6(std::string_view text);

// Warn about addresses and ranges in noncanonical form.
void warn_of_ip(const Field& place, Warnings& out, std::string_view text);
inline void warn_of_ip(const Field& place, Warnings& out) { warn_of_ip(place, out, place.text()); }
void warn_of_ips(const Field& addresses, Warnings& out);
void warn_of_cidr(const Field& range, Warnings& out);
void warn_of_cidrs(const Field& ranges, Warnings& out);

// Hook of kinds with status.loadBalancer.
void warn_of_balancer_status(const Field& object, const json::Value* old, Warnings& out);

}  // namespace tabernetes::registry::kinds
