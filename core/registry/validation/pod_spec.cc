// The spec of a pod, in a pod or in a template.
// Source: upstream 1.36 pkg/apis/core/validation/validation.go, ValidatePodSpec.

#include <string>

#include "registry/validation/formats.h"
#include "registry/validation/pod_parts.h"
#include "registry/validation/selectors.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::size_t kMostNameservers = 3;
constexpr std::size_t kMostSearches = 32;
constexpr std::size_t kMaxSearchText = 2048;
constexpr std::string_view kWithUsers = "when `hostUsers` is false";

void validate_resource_claims(PodScope& scope) {
  const Field claims = scope.spec["resourceClaims"];
  for (const Field claim : claims.items()) {
    const Field name = claim["name"];
    const Field existing = claim["resourceClaimName"];
    const Field made = claim["resourceClaimTemplateName"];
    if (scope.is_static) {
      // Upstream's path of the whole object prints so.
      Field nowhere(*claim.value(), claim.errors());
      nowhere.key("").forbidden("static pods do not support resource claims");
      continue;
    }
    if (name.require()) {
      if (scope.claims.has(name.text())) {
        name.duplicate();
      } else {
        name.format(dns1123_label_faults);
        scope.claims.add(name.text());
      }
    }
    if (existing.present() == made.present()) {
      claim.invalid_as(printed_struct(claim, "core.v1.PodResourceClaim"),
                       existing.present()
                           ? "at most one of `resourceClaimName` or `resourceClaimTemplateName` "
                             "may be specified"
                           : "must specify one of: `resourceClaimName`, "
                             "`resourceClaimTemplateName`");
    }
    if (existing.present()) existing.format(dns1123_subdomain_faults);
    if (made.present()) made.format(dns1123_subdomain_faults);
  }
}

// With the host's network a container's port is one of the host.
void validate_host_network(const PodScope& scope) {
  if (!scope.host_network()) return;
  const Field containers = scope.spec["containers"];
  for (const Field container : containers.items()) {
    const Field ports = container["ports"];
    for (const Field port : ports.items()) {
      const std::int64_t host = port.number_at("hostPort");
      if (host == port.number_at("containerPort") || (host == 0 && !scope.is_pod)) continue;
      port["hostPort"].invalid_as(std::to_string(host),
                                  "must match `containerPort` when `hostNetwork` is true");
    }
  }
}

// A domain whose labels may have underscores, one of them also in front.
Faults search_faults(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool first = i == 0 || text[i - 1] == '.';
    if (text[i] != '_') {
      plain.push_back(text[i]);
    } else if (!first) {
      plain.push_back('-');
    }
  }
  Faults faults;
  if (text.size() > 253) faults.emplace_back("must be no more than 253 characters");
  for (const std::string& fault : dns1123_subdomain_faults(plain)) {
    if (!fault.starts_with('a')) continue;
    faults.emplace_back(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', "
        "'-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', "
        "regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*"
        "[a-z0-9])?)*')");
  }
  return faults;
}

void validate_dns(const Field& spec) {
  const Field config = spec["dnsConfig"];
  const Field servers = config["nameservers"];
  if (spec["dnsPolicy"].is("None")) {
    if (!config.present()) {
      return config.required("must provide `dnsConfig` when `dnsPolicy` is None");
    }
    if (servers.empty()) {
      return servers.required("must provide at least one DNS nameserver when `dnsPolicy` is None");
    }
  }
  if (servers.size() > kMostNameservers) servers.invalid("must not have more than 3 nameservers");
  for (const Field server : servers.items()) server.format(ip_faults);
  const Field searches = config["searches"];
  if (searches.size() > kMostSearches) {
    searches.invalid("must not have more than 32 search paths");
  }
  std::size_t length = searches.empty() ? 0 : searches.size() - 1;
  for (const Field search : searches.items()) length += search.text().size();
  if (length > kMaxSearchText) {
    searches.invalid(
        "must not have more than 2048 characters (including spaces) in the search list");
  }
  for (const Field search : searches.items()) {
    std::string_view text = search.text();
    if (text == ".") continue;
    if (text.ends_with('.')) text.remove_suffix(1);
    for (const std::string& fault : search_faults(text)) search.invalid_text(text, fault);
  }
  const Field options = config["options"];
  for (const Field option : options.items()) {
    if (option.text_at("name").empty()) option.required("must not be empty");
  }
}

void validate_gates(const Field& spec) {
  const Field readiness = spec["readinessGates"];
  for (const Field gate : readiness.items()) gate["conditionType"].format(qualified_name_faults);
  const Field scheduling = spec["schedulingGates"];
  NameTable seen;
  for (const Field gate : scheduling.items()) {
    const Field name = scheduling.item_place(gate.index()).with(gate["name"]);
    name.format(qualified_name_faults);
    if (!seen.add(name.text())) name.duplicate();
  }
}

void validate_user_namespace(const PodScope& scope) {
  if (scope.host_users()) return;
  const Field& spec = scope.spec;
  if (scope.host_network()) spec["hostNetwork"].forbidden(kWithUsers);
  if (spec["hostPID"].flag()) spec["HostPID"].forbidden(kWithUsers);
  if (spec["hostIPC"].flag()) spec["HostIPC"].forbidden(kWithUsers);
  each_container(spec, [](const Field& container) {
    if (!container["volumeDevices"].empty()) container["volumeDevices"].forbidden(kWithUsers);
  });
}

void validate_host_name(const PodScope& scope) {
  const Field name = scope.spec["hostnameOverride"];
  if (!name.present()) return;
  if (scope.spec["setHostnameAsFQDN"].flag()) {
    name.forbidden("may not be specified when setHostnameAsFQDN is true");
  }
  if (scope.host_network()) name.forbidden("may not be specified when hostNetwork is true");
  if (name.text().size() > 64) name.too_long(64);
  name.format(dns1123_subdomain_faults);
}

void validate_host_aliases(const Field& aliases) {
  for (const Field alias : aliases.items()) {
    alias["ip"].format(ip_faults);
    const Field names = alias["hostnames"];
    for (const Field name : names.items()) name.format(dns1123_subdomain_faults);
  }
}

// What a variable reads from a file lies in a volume that is a plain directory.
void validate_file_volumes(const PodScope& scope) {
  const Field volumes = scope.spec["volumes"];
  each_container(scope.spec, [&](const Field& container) {
    const Field list = container["env"];
    for (const Field variable : list.items()) {
      const Field from = variable["valueFrom"];
      const Field file = from["fileKeyRef"];
      if (!file.present()) continue;
      const Field name = file["volumeName"];
      const json::Value* found = nullptr;
      for (const Field volume : volumes.items()) {
        if (volume.text_at("name") == name.text()) found = volume.value();
      }
      if (found == nullptr) {
        name.not_found();
      } else if (found->find("emptyDir") == nullptr) {
        name.invalid("referenced volume must be of type emptyDir");
      }
    }
  });
}

void validate_names(const Field& spec) {
  for (const std::string_view name : {"serviceAccountName", "nodeName"}) {
    spec[name].format_or_empty(dns1123_subdomain_faults);
  }
  const Field deadline = spec["activeDeadlineSeconds"];
  if (deadline.present()) deadline.in_range(1, 2147483647);
  for (const std::string_view name : {"hostname", "subdomain"}) {
    spec[name].format_or_empty(dns1123_label_faults);
  }
}

}  // namespace

bool PodScope::host_users() const {
  const Field users = spec["hostUsers"];
  return !users.present() || users.flag();
}

bool PodScope::has_os(std::string_view os) const {
  const Field field = spec["os"];
  return field["name"].is(os);
}

void validate_pod_spec(PodScope& scope) {
  const Field& spec = scope.spec;
  validate_volumes(scope);
  validate_resource_claims(scope);
  validate_containers(scope);
  validate_pod_resources(scope);
  validate_host_network(scope);
  spec["restartPolicy"].require_one_of("Always,OnFailure,Never");
  spec["dnsPolicy"].require_one_of("ClusterFirstWithHostNet,ClusterFirst,Default,None");
  validate_label_map(spec["nodeSelector"]);
  validate_pod_security(scope);
  validate_affinity(spec["affinity"]);
  validate_dns(spec);
  validate_gates(spec);
  validate_topology_spread(spec["topologySpreadConstraints"]);
  validate_host_process_pod(scope);
  validate_user_namespace(scope);
  validate_host_name(scope);
  validate_names(spec);
  validate_tolerations(spec["tolerations"]);
  validate_host_aliases(spec["hostAliases"]);
  spec["priorityClassName"].format_or_empty(dns1123_subdomain_faults);
  const Field runtime = spec["runtimeClassName"];
  if (runtime.present()) runtime.format(dns1123_subdomain_faults);
  const Field preemption = spec["preemptionPolicy"];
  if (preemption.present()) preemption.require_one_of("PreemptLowerPriority,Never");
  validate_resource_limits(spec["overhead"], spec["overhead"]);
  validate_os(scope);
  validate_file_volumes(scope);
}

}  // namespace tabernetes::registry::validation
