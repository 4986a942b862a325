// Cross-origin access: which origins may read answers. Source: spec/rest.md 1.6.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/regex/pattern.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

class CorsPolicy {
 public:
  // `origins` are regular expressions, matched against any part of an origin; invalid ones match
  // nothing (see check_cors_origin()). Without any, CORS is disabled.
  explicit CorsPolicy(const std::vector<std::string>& origins);

  // Returns the answer to a preflight request from an allowed origin, without the headers of
  // add_headers(); nullopt for other requests.
  std::optional<Response> answer_preflight(const Request& request) const;

  // Adds the headers that let the origin of `request` read `response`, if it is allowed to.
  void add_headers(const Request& request, Response& response) const;

  bool allows(std::string_view origin) const;

 private:
  std::vector<Pattern> patterns_;
};

}  // namespace tabernetes::server
