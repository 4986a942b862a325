// Which paths are of OpenAPI documents.
#pragma once

#include <string_view>

namespace tabernetes::server {

inline bool is_openapi_path(std::string_view path) {
  return path == "/openapi/v2" || path == "/openapi/v3" || path.starts_with("/openapi/v3/");
}

}  // namespace tabernetes::server
