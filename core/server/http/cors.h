// Which pages of other origins may read answers. Source: spec/rest.md 1.6.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/pattern.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

class CorsPolicy {
 public:
  // Regular expressions, matched with any part of an origin; those that are none allow nothing
  // (see check_cors_origin). Without any there is no CORS at all.
  explicit CorsPolicy(const std::vector<std::string>& origins);

  // The answer to a preflight from an allowed origin, as yet without the headers below; nothing for
  // other requests.
  std::optional<Response> answer_preflight(const Request& request) const;

  // Adds the headers that let the page of `request` read `response`, if it may.
  void add_headers(const Request& request, Response& response) const;

  bool allows(std::string_view origin) const;

 private:
  std::vector<Pattern> patterns_;
};

}  // namespace tabernetes::server
