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
  unsigned over_etcd = 0;  // more endpoints that have it if the storage is etcd
  bool of_etcd = false;    // fails while etcd does not answer
};

// The checks of a real server in its order of registration, for monitors that query single names.
// They succeed, as a core that can answer is healthy, except those of the storage. If that is not
// etcd, /readyz has one more check while changes cannot be stored, which says why.
constexpr Check kChecks[] = {
    {"ping", kAll},
    {"log", kAll},
    {"loopback-serving-certificate", kAlive},
    {"etcd", kAlive, kReadyz, true},
    {"etcd-readiness", 0, kReadyz, true},
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

bool has(const Endpoint& endpoint, const Check& check, bool over_etcd) {
  return ((check.endpoints | (over_etcd ? check.over_etcd : 0)) & endpoint.bit) != 0;
}

bool passes(const Check& check, const StorageHealth& storage) {
  return !check.of_etcd || !storage.shared || storage.fault == nullptr;
}

// Returns why the endpoint has the check of the storage, or null if it has not.
const std::string* fault_of_storage(const Endpoint& endpoint, const HealthQuery& query) {
  return endpoint.bit == kReadyz && !query.storage.shared ? query.storage.fault : nullptr;
}

bool excludes(const HealthQuery& query, std::string_view check) {
  return std::find(query.exclude.begin(), query.exclude.end(), check) != query.exclude.end();
}

bool fails(const Endpoint& endpoint, const HealthQuery& query) {
  for (const Check& check : kChecks) {
    if (has(endpoint, check, query.storage.shared) && !passes(check, query.storage) &&
        !excludes(query, check.name)) {
      return true;
    }
  }
  return fault_of_storage(endpoint, query) != nullptr && !excludes(query, kStorage);
}

std::string report(const Endpoint& endpoint, const HealthQuery& query) {
  std::set<std::string_view> unmatched(query.exclude.begin(), query.exclude.end());
  std::string lines;
  for (const Check& check : kChecks) {
    if (!has(endpoint, check, query.storage.shared)) continue;
    const bool excluded = unmatched.erase(check.name) != 0;
    const bool good = excluded || passes(check, query.storage);
    lines.append(good ? "[+]" : "[-]").append(check.name);
    lines += excluded ? " excluded: ok\n" : good ? " ok\n" : " failed: reason withheld\n";
  }
  if (const std::string* fault = fault_of_storage(endpoint, query)) {
    lines += unmatched.erase(kStorage) != 0 ? "[+]storage excluded: ok\n"
                                            : "[-]storage failed: " + *fault + "\n";
  }
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
  lines.append(endpoint.name);
  lines += fails(endpoint, query) ? " check failed\n" : " check passed\n";
  return lines;
}

TextResponse answer_check(const Check& check, const StorageHealth& storage) {
  if (passes(check, storage)) return TextResponse{200, kTextPlain, "ok", false};
  const std::string text =
      "internal server error: error getting data from etcd: context deadline exceeded\n";
  return TextResponse{500, kTextPlain, text, true};
}

}  // namespace

std::optional<TextResponse> answer_health(std::string_view path, const HealthQuery& query) {
  for (const Endpoint& endpoint : kEndpoints) {
    if (!path.starts_with('/') || !path.substr(1).starts_with(endpoint.name)) continue;
    const std::string_view rest = path.substr(1 + endpoint.name.size());
    if (rest.empty()) {
      const bool failed = fails(endpoint, query);
      const std::string body = query.verbose || failed ? report(endpoint, query) : "ok";
      return TextResponse{failed ? 500 : 200, kTextPlain, body, true};
    }
    if (rest.front() != '/') continue;
    for (const Check& check : kChecks) {
      if (check.name == rest.substr(1) && has(endpoint, check, query.storage.shared)) {
        return answer_check(check, query.storage);
      }
    }
  }
  return std::nullopt;
}

std::vector<HealthCheck> health_checks(const StorageHealth& storage) {
  std::vector<HealthCheck> checks;
  for (const Check& check : kChecks) {
    for (const Endpoint& endpoint : kEndpoints) {
      if (has(endpoint, check, storage.shared)) {
        checks.push_back({check.name, endpoint.name, passes(check, storage)});
      }
    }
  }
  sort_stable(checks, [](const HealthCheck& a, const HealthCheck& b) {
    return std::pair(a.name, a.endpoint) < std::pair(b.name, b.endpoint);
  });
  return checks;
}

std::vector<std::string> health_paths(bool over_etcd) {
  std::vector<std::string> paths;
  for (const Endpoint& endpoint : kEndpoints) {
    const std::string root = "/" + std::string(endpoint.name);
    paths.push_back(root);
    for (const Check& check : kChecks) {
      if (has(endpoint, check, over_etcd)) paths.push_back(root + "/" + std::string(check.name));
    }
  }
  return paths;
}

}  // namespace tabernetes::server
