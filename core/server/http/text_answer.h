// An answer that is not an API object, from endpoints besides the API.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::server {

inline constexpr std::string_view kTextPlain = "text/plain; charset=utf-8";
inline constexpr std::string_view kApplicationJson = "application/json";

// The views are of static text.
struct TextResponse {
  int status = 200;
  std::string_view content_type;  // empty: no header
  std::string body;
  bool no_sniff = false;  // X-Content-Type-Options: nosniff
  std::string_view cache_control = "no-cache, private";
};

}  // namespace tabernetes::server
