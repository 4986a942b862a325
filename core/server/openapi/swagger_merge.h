// Documents of OpenAPI v2 from several servers, as one. Source: upstream kube-openapi
// pkg/aggregator.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::server {

// Returns the document with the paths that begin with `prefix` alone, and without definitions that
// only the other paths need. Empty if the text is no JSON object.
std::string swagger_under(std::string_view text, std::string_view prefix);

// Returns `base` with the paths, definitions and parameters of the others, sorted. Of equal paths
// the first counts; definitions and parameters that differ from one of the same name get the name
// with a suffix ("_v2"); of definitions that differ only in their group version kinds there is one,
// with all of these. REQUIRES: `base` is a document.
std::string merge_swagger(std::string_view base, const std::vector<std::string_view>& others);

}  // namespace tabernetes::server
