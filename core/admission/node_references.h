// What a pod refers to, as NodeRestriction asks. Source: upstream 1.36 pkg/api/pod/util.go
// (HasAPIObjectReference); plugin/pkg/admission/noderestriction (podReferencesAudience).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "admission/plugin.h"

namespace tabernetes::admission {

// Returns what the pod refers to among the objects of the API ("secrets"; empty: nothing), and why
// that cannot be told.
std::pair<std::string, std::string> find_reference(const json::Value& pod);

struct AudienceSearch {
  bool found = false;
  std::vector<std::string> errors;
};
// Searches the volumes of a pod for tokens with an audience.
AudienceSearch find_audience(const AdmissionRequest& request, const json::Value& pod,
                             std::string_view audience);

}  // namespace tabernetes::admission
