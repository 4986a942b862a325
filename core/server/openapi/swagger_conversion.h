// OpenAPI v2 as v3, for servers that have v2 alone. Source: upstream kube-openapi
// pkg/openapiconv.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::server {

// Returns the document of v3 that has the content of one of v2, as far as upstream carries it over;
// empty if the text is no JSON object.
std::string swagger_as_v3(std::string_view text);

}  // namespace tabernetes::server
