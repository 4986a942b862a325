// Kubernetes' switches, by their names.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tabernetes {

// Reads "Name=true,Other=false", as kube-apiserver's --feature-gates, into `gates`. Returns what is
// wrong with it, or an empty string. Known are the gates of 1.36 that change what an API server
// answers; others would be switches without a wire, so they are refused as unknown ones are.
std::string parse_feature_gates(std::string_view text, std::map<std::string, bool>& gates);

}  // namespace tabernetes
