// /healthz, /livez, /readyz and their single checks. Source: spec/rest.md 1.9.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/http/text_answer.h"
#include "server/request/request_context.h"

namespace tabernetes::server {

struct HealthQuery {
  bool verbose = false;              // ?verbose, with any value
  std::vector<std::string> exclude;  // every ?exclude=
  // A fault fails /readyz and, if the storage is etcd, the checks that kube-apiserver has of it.
  StorageHealth storage = {};
};

// Returns the answer to `path` ("/livez", "/livez/ping"), decoded; nullopt if there is no such
// check.
std::optional<TextResponse> answer_health(std::string_view path, const HealthQuery& query);

struct HealthCheck {
  std::string_view name, endpoint;  // "ping", "livez"
  bool passes = true;
};
// Returns every check of every endpoint.
std::vector<HealthCheck> health_checks(const StorageHealth& storage);

// Returns every path that answer_health() answers, for the index.
std::vector<std::string> health_paths(bool over_etcd);

}  // namespace tabernetes::server
