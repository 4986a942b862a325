// /healthz, /livez, /readyz and their single checks. Source: spec/rest.md 1.9.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/http/text_answer.h"

namespace tabernetes::server {

struct HealthQuery {
  bool verbose = false;              // ?verbose, whatever its value
  std::vector<std::string> exclude;  // every ?exclude=
};

// The answer to `path` ("/livez", "/livez/ping"), decoded; nothing if there is no such check.
std::optional<TextAnswer> answer_health(std::string_view path, const HealthQuery& query);

// Every check with its endpoint: ("ping", "livez").
std::vector<std::pair<std::string_view, std::string_view>> health_checks();

// Every path that answer_health answers, for the index.
std::vector<std::string> health_paths();

}  // namespace tabernetes::server
