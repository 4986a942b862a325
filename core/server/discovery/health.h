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
  bool verbose = false;              // ?verbose, with any value
  std::vector<std::string> exclude;  // every ?exclude=
  // Why changes cannot be stored: fails /readyz. Null: they can.
  const std::string* storage_fault = nullptr;
};

// Returns the answer to `path` ("/livez", "/livez/ping"), decoded; nullopt if there is no such
// check.
std::optional<TextResponse> answer_health(std::string_view path, const HealthQuery& query);

// Returns every check with its endpoint: ("ping", "livez").
std::vector<std::pair<std::string_view, std::string_view>> health_checks();

// Returns every path that answer_health() answers, for the index.
std::vector<std::string> health_paths();

}  // namespace tabernetes::server
