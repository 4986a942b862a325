// What a request is, in the words of kube-apiserver's log and metrics.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::host {

struct RequestSummary {
  std::string verb;      // GET, LIST, WATCH, APPLY, CONNECT, or the method
  std::string resource;  // "pods", "deployments.apps/scale"; empty for what is no resource
};

// Looks at the path alone: whether the resource exists is another matter. Rules: 1.36,
// apiserver/pkg/endpoints/request/requestinfo.go and metrics.NormalizedVerb.
RequestSummary summarize(std::string_view method, std::string_view target,
                         std::string_view content_type);

}  // namespace tabernetes::host
