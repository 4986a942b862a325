// The value of --feature-gates: Kubernetes' switches, by their names.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tabernetes::host {

// Reads "Name=true,Other=false" into `gates`. Returns what is wrong with it, or an empty string.
std::string parse_feature_gates(std::string_view text, std::map<std::string, bool>& gates);

}  // namespace tabernetes::host
