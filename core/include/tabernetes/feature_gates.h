// Kubernetes' feature gates, by their names.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tabernetes {

// Parses a list in the format of kube-apiserver's --feature-gates ("Name=true,kube:Other=false")
// into `gates`, replacing gates that are there. Returns kube-apiserver's error, or an empty string.
// All gates of kube-apiserver 1.36 are known, also those that change nothing here.
std::string parse_feature_gates(std::string_view text, std::map<std::string, bool>& gates);

// Returns the error of a complete set of chosen gates: an unknown gate, a locked one, or one that
// is on while a gate that it needs is off. Empty if there is none.
std::string feature_gates_fault(const std::map<std::string, bool>& gates);

}  // namespace tabernetes
