#include "server/discovery/health.h"

#include <algorithm>
#include <set>

#include "base/algorithm/sort.h"

namespace tabernetes::server {
namespace {

// Bits of the endpoints that have a check.
constexpr unsigned kHealthz = 1;
constexpr unsigned kLivez = 2;
constexpr unsigned kReadyz = 4;
constexpr unsigned kAlive = kHealthz | kLivez;
constexpr unsigned kAll = kAlive | kReadyz;

struct Endpoint {
  std::string_view name;
  unsigned bit;
};
constexpr Endpoint kEndpoints[] = {{"healthz", kHealthz}, {"livez", kLivez}, {"readyz", kReadyz}};

struct Check {
  std::string_view name;
  unsigned endpoints;
};

// The checks of a real server in its order of registration, for monitors that query single names.
// They always succeed: a core that can answer is healthy. Only /readyz may fail, when changes
// cannot be stored; then it has one more check, which says why.
constexpr Check kChecks[] = {
    {"ping", kAll},
    {"log", kAll},
    {"loopback-serving-certificate", kAlive},
    {"etcd", kAlive},
    {"informer-sync", kReadyz},
    {"poststarthook/start-apiserver-admission-initializer", kAll},
    {"poststarthook/generic-apiserver-start-informers", kAll},
    {"poststarthook/priority-and-fairness-config-consumer", kAll},
    {"poststarthook/priority-and-fairness-filter", kAll},
    {"poststarthook/storage-object-count-tracker-hook", kAll},
    {"poststarthook/start-apiextensions-informers", kAll},
    {"poststarthook/start-apiextensions-controllers", kAll},
    {"poststarthook/crd-informer-synced", kAll},
    {"poststarthook/start-system-namespaces-controller", kAll},
    {"poststarthook/peer-endpoint-reconciler-controller", kAll},
    {"poststarthook/start-cluster-authentication-info-controller", kAll},
    {"poststarthook/start-kube-apiserver-identity-lease-controller", kAll},
    {"poststarthook/start-kube-apiserver-identity-lease-garbage-collector", kAll},
    {"poststarthook/storage-readiness", kAll},
    {"poststarthook/start-legacy-token-tracking-controller", kAll},
    {"poststarthook/start-service-ip-repair-controllers", kAll},
    {"poststarthook/rbac/bootstrap-roles", kAll},
    {"poststarthook/scheduling/bootstrap-system-priority-classes", kAll},
    {"poststarthook/priority-and-fairness-config-producer", kAll},
    {"poststarthook/bootstrap-controller", kAll},
    {"poststarthook/start-kubernetes-service-cidr-controller", kAll},
    {"poststarthook/start-kube-aggregator-informers", kAll},
    {"poststarthook/apiservice-status-local-available-controller", kAll},
    {"poststarthook/apiservice-status-remote-available-controller", kAll},
    {"poststarthook/apiservice-registration-controller", kAll},
    {"poststarthook/apiservice-wait-for-first-sync", kAll},
    {"poststarthook/apiservice-discovery-controller", kAll},
    {"poststarthook/kube-apiserver-autoregistration", kAll},
    {"autoregister-completion", kAll},
    {"poststarthook/apiservice-openapi-controller", kAll},
    {"poststarthook/apiservice-openapiv3-controller", kAll},
    {"shutdown", kReadyz},
};

constexpr std::string_view kStorage = "storage";

// Returns why the endpoint fails, or null.
const std::string* fault_of_storage(const Endpoint& endpoint, const HealthQuery& query) {
  return endpoint.bit == kReadyz ? query.storage_fault : nullptr;
}

bool excludes(const HealthQuery& query, std::string_view check) {
  return std::find(query.exclude.begin(), query.exclude.end(), check) != query.exclude.end();
}

std::string report(const Endpoint& endpoint, const HealthQuery& query) {
  std::set<std::string_view> unmatched(query.exclude.begin(), query.exclude.end());
  std::string lines;
  for (const Check& check : kChecks) {
    if ((check.endpoints & endpoint.bit) == 0) continue;
    lines.append("[+]").append(check.name);
    lines += unmatched.erase(check.name) != 0 ? " excluded: ok\n" : " ok\n";
  }
  const std::string* fault = fault_of_storage(endpoint, query);
  const bool excluded = fault != nullptr && unmatched.erase(kStorage) != 0;
  const bool fails = fault != nullptr && !excluded;
  if (excluded) lines += "[+]storage excluded: ok\n";
  if (fails) lines += "[-]storage failed: " + *fault + "\n";
  if (!unmatched.empty()) {
    lines += "warn: some health checks cannot be excluded: no matches for ";
    bool first = true;
    for (const std::string_view name : unmatched) {
      if (!first) lines += ",";
      first = false;
      lines.append("\"").append(name).append("\"");
    }
    lines += "\n";
  }
  lines.append(endpoint.name).append(fails ? " check failed\n" : " check passed\n");
  return lines;
}

}  // namespace

std::optional<TextResponse> answer_health(std::string_view path, const HealthQuery& query) {
  for (const Endpoint& endpoint : kEndpoints) {
    if (!path.starts_with('/') || !path.substr(1).starts_with(endpoint.name)) continue;
    const std::string_view rest = path.substr(1 + endpoint.name.size());
    if (rest.empty()) {
      const bool fails = fault_of_storage(endpoint, query) != nullptr && !excludes(query, kStorage);
      const std::string body = query.verbose || fails ? report(endpoint, query) : "ok";
      return TextResponse{fails ? 500 : 200, kTextPlain, body, true};
    }
    if (rest.front() != '/') continue;
    for (const Check& check : kChecks) {
      if (check.name == rest.substr(1) && (check.endpoints & endpoint.bit) != 0) {
        return TextResponse{200, kTextPlain, "ok", false};
      }
    }
  }
  return std::nullopt;
}

std::vector<std::pair<std::string_view, std::string_view>> health_checks() {
  std::vector<std::pair<std::string_view, std::string_view>> checks;
  for (const Check& check : kChecks) {
    for (const Endpoint& endpoint : kEndpoints) {
      if ((check.endpoints & endpoint.bit) != 0) checks.emplace_back(check.name, endpoint.name);
    }
  }
  sort_stable(checks);
  return checks;
}

std::vector<std::string> health_paths() {
  std::vector<std::string> paths;
  for (const Endpoint& endpoint : kEndpoints) {
    const std::string root = "/" + std::string(endpoint.name);
    paths.push_back(root);
    for (const Check& check : kChecks) {
      if ((check.endpoints & endpoint.bit) != 0)
        paths.push_back(root + "/" + std::string(check.name));
    }
  }
  return paths;
}

}  // namespace tabernetes::server
