// What a write to the status of a pod may say.
// Source: upstream 1.36 pkg/apis/core/validation/validation.go, ValidatePodStatusUpdate.

#include <string>

#include "base/ip_address.h"
#include "base/quantity.h"
#include "registry/validation/formats.h"
#include "registry/validation/pod.h"
#include "registry/validation/pod_parts.h"
#include "registry/validation/resource_names.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::size_t kMaxHealthMessage = 1024;

void validate_conditions(const Field& conditions) {
  for (const Field condition : conditions.items()) {
    const Field observed = condition["observedGeneration"];
    if (observed.number() < 0) observed.invalid("must be a non-negative integer");
    const Field type = condition["type"];
    if (listed("PodScheduled,Ready,Initialized", type.text())) continue;
    condition.as("Type", type).format(qualified_name_faults);
  }
}

void validate_nominated_node(const Field& status, const Field& before, const Field& old_spec) {
  const Field node = status["nominatedNodeName"];
  if (node.text().empty() || node.same(before["nominatedNodeName"])) return;
  node.format(dns1123_subdomain_faults);
  if (!old_spec.text_at("nodeName").empty()) {
    node.forbidden("may not be set on pods that are already bound to a node");
  }
}

// --- Containers that have ended

bool has_code(const Field& codes, std::int64_t code) {
  const Field values = codes["values"];
  for (const Field value : values.items()) {
    if (value.number() == code) return true;
  }
  return false;
}

bool restarts(std::string_view policy, std::int64_t code) {
  return policy == "OnFailure" ? code != 0 : policy != "Never";
}

bool may_restart(const Field& container, const Field& spec, std::int64_t code) {
  const std::string_view policy = container.text_at("restartPolicy");
  if (policy.empty()) return restarts(spec.text_at("restartPolicy"), code);
  const Field rules = container["restartPolicyRules"];
  for (const Field rule : rules.items()) {
    const Field codes = rule["exitCodes"];
    if (codes.present() && has_code(codes, code) == codes["operator"].is("In")) return true;
  }
  return restarts(policy, code);
}

// A rule of some container lets all of them start again.
bool all_may_restart(const Field& spec) {
  bool found = false;
  each_container(spec, [&](const Field& container) {
    const Field rules = container["restartPolicyRules"];
    for (const Field rule : rules.items()) {
      found = found || rule["action"].is("RestartAllContainers");
    }
  });
  return found;
}

const json::Value* find_named(const Field& list, std::string_view name) {
  for (const Field item : list.items()) {
    if (item.text_at("name") == name) return item.value();
  }
  return nullptr;
}

void validate_transitions(const Field& now, const Field& old, const Field& containers,
                          const Field& spec, bool ephemeral) {
  if (!ephemeral && all_may_restart(spec)) return;
  for (const Field before : old.items()) {
    const Field state = before["state"];
    const Field ended = state["terminated"];
    if (!ended.present()) continue;
    const json::Value* status = find_named(now, before.text_at("name"));
    if (status == nullptr || status->at({"state", "terminated"}) != nullptr) continue;
    if (!ephemeral) {
      const json::Value* container = find_named(containers, before.text_at("name"));
      if (container != nullptr &&
          may_restart(Field(*container, now.errors()), spec, ended.number_at("exitCode"))) {
        continue;
      }
    }
    const Field place = now.item_place(before.index());
    place["state"].forbidden("may not be transitioned to non-terminated state");
  }
}

// --- Addresses

void validate_addresses(const Field& list, const Field& old) {
  for (const Field entry : list.items()) {
    const Field address = entry.with(entry["ip"]);
    bool stood = false;
    for (const Field before : old.items()) stood = stood || before["ip"].is(address.text());
    if (!stood) address.format(ip_faults);
  }
  if (list.size() < 2) return;
  for (const Field entry : list.items()) {
    if (parse_ip(entry.text_at("ip"))) continue;
    list.errors().push_back(
        {"InternalError", list.path().text(),
         "Internal error: failed to check for dual stack with error:invalid IP[" +
             std::to_string(entry.index()) + "]: " + std::string(entry.text_at("ip"))});
    break;
  }
  const auto first = parse_ip(list.item(0).text_at("ip"));
  const auto second = parse_ip(list.item(1).text_at("ip"));
  if (list.size() == 2 && first && second && first->v4 != second->v4) return;
  std::string printed;
  for (const Field entry : list.items()) {
    printed.append(printed.empty() ? "[" : ",");
    printed.append(R"({"IP":)").append(entry["ip"].printed()).append("}");
  }
  list.invalid_as(printed + "]", "may specify no more than one IP for each IP family");
}

void validate_host_addresses(const Field& status, const Field& old) {
  const Field list = status["hostIPs"];
  if (list.empty()) return;
  const Field first = list.item(0);
  if (!first["ip"].same(status["hostIP"])) first["ip"].invalid("must be equal to `hostIP`");
  validate_addresses(list, old["hostIPs"]);
}

// --- Claims

void validate_claim_statuses(const Field& statuses, const Field& claims) {
  NameTable names;
  for (const Field status : statuses.items()) {
    const Field name = status["name"];
    if (find_named(claims, name.text()) == nullptr) {
      name.invalid("must match the name of an entry in `spec.resourceClaims`");
    }
    if (!names.add(name.text())) name.duplicate();
    const Field claim = status["resourceClaimName"];
    if (claim.present()) claim.format(dns1123_subdomain_faults);
  }
}

void validate_extended_claim(const Field& status, const Field& spec) {
  if (!status.present()) return;
  const Field mappings = status["requestMappings"];
  if (mappings.empty()) mappings.required("at least one request mapping is required");
  for (const Field mapping : mappings.items()) {
    const Field name = mapping["containerName"];
    const Field resource = mapping["resourceName"];
    const json::Value* container = find_named(spec["containers"], name.text());
    if (container == nullptr) container = find_named(spec["initContainers"], name.text());
    if (container == nullptr) {
      name.invalid(
          "must match the name of an entry in spec.initContainers.name or spec.containers.name");
    } else if (const json::Value* requests = container->at({"resources", "requests"});
               requests == nullptr || requests->find(resource.text()) == nullptr) {
      resource.invalid(
          "must match the extended resource name of an entry in "
          "spec.initContainers.resources.requests or spec.containers.resources.requests");
    }
    status.as("requestName", mapping["requestName"]).format(dns1123_label_faults);
    for (std::uint32_t i = 0; i < mapping.index(); ++i) {
      if (!mappings.item(i).same(mapping)) continue;
      for (const std::string_view field : {"containerName", "resourceName", "requestName"}) {
        mapping[field].duplicate();
      }
      break;
    }
  }
  status["resourceClaimName"].require(dns1123_subdomain_faults);
}

// --- What containers run as, and what they were given

void validate_users(const Field& statuses, bool windows) {
  for (const Field status : statuses.items()) {
    const Field user = status["user"];
    const Field linux_user = user["linux"];
    if (!linux_user.present()) continue;
    if (windows) {
      linux_user.forbidden("cannot be set for a windows pod");
      continue;
    }
    for (const std::string_view id : {"uid", "gid"}) linux_user[id].in_range(0, 2147483647);
    const Field groups = linux_user["supplementalGroups"];
    for (const Field group : groups.items()) group.in_range(0, 2147483647);
  }
}

// "claim:name" or "claim:name/request"
bool is_claim_of(const json::Value* claims, std::string_view name) {
  if (claims == nullptr) return false;
  for (const json::Value& claim : claims->items()) {
    std::string text = "claim:" + std::string(claim.string_at("name"));
    const std::string_view request = claim.string_at("request");
    if (!request.empty()) text.append("/").append(request);
    if (text == name) return true;
  }
  return false;
}

void validate_health(const Field& resources) {
  NameTable ids;
  for (const Field resource : resources.items()) {
    resource["health"].one_of("Healthy,Unhealthy,Unknown");
    const Field message = resource["message"];
    if (message.present()) {
      if (message.require("must be non-empty if specified") &&
          message.text().size() > kMaxHealthMessage) {
        message.too_long(kMaxHealthMessage);
      }
    }
    if (!ids.add(resource.text_at("resourceID"))) resource["resourceID"].duplicate();
  }
}

void validate_allocated(const Field& statuses, const Field& containers) {
  for (const Field status : statuses.items()) {
    const json::Value* container = find_named(containers, status.text_at("name"));
    const Field list = status["allocatedResourcesStatus"];
    for (const Field allocated : list.items()) {
      const Field name = allocated["name"];
      if (container != nullptr) {
        if (name.text().starts_with("claim:")) {
          if (!is_claim_of(container->at({"resources", "claims"}), name.text())) {
            name.invalid(
                "must match one of the container's resource claims in a format "
                "'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty");
          }
        } else if (const json::Value* requests = container->at({"resources", "requests"});
                   requests == nullptr || requests->find(name.text()) == nullptr) {
          name.invalid("must match one of the container's resource requests");
        }
      }
      validate_health(allocated["resources"]);
    }
  }
}

}  // namespace

void validate_pod_status(const Field& pod, const Field& old) {
  validate_pod_annotation_update(pod, old);
  const Field spec = pod["spec"];
  const Field old_spec = old["spec"];
  const Field status = pod["status"];
  const Field before = old["status"];
  validate_conditions(status["conditions"]);
  validate_nominated_node(status, before, old_spec);
  const Field observed = status["observedGeneration"];
  if (observed.number() < 0) observed.invalid("must be a non-negative integer");
  status["qosClass"].immutable(before["qosClass"], "\"\"");
  struct Sort {
    std::string_view statuses, containers;
  };
  constexpr Sort kSorts[] = {{"containerStatuses", "containers"},
                             {"initContainerStatuses", "initContainers"},
                             {"ephemeralContainerStatuses", "ephemeralContainers"}};
  for (const Sort& sort : kSorts) {
    validate_transitions(status[sort.statuses], before[sort.statuses], old_spec[sort.containers],
                         old_spec, sort.containers == "ephemeralContainers");
  }
  validate_claim_statuses(status["resourceClaimStatuses"], spec["resourceClaims"]);
  validate_extended_claim(status["extendedResourceClaimStatus"], spec);
  validate_addresses(status["podIPs"], before["podIPs"]);
  validate_host_addresses(status, before);
  const Field os = spec["os"];
  for (const Sort& sort : kSorts) validate_users(status[sort.statuses], os["name"].is("windows"));
  for (const Sort& sort : kSorts) {
    if (sort.containers != "ephemeralContainers") {
      validate_allocated(status[sort.statuses], spec[sort.containers]);
      continue;
    }
    const Field statuses = status[sort.statuses];
    for (const Field each : statuses.items()) {
      const Field allocated = each["allocatedResourcesStatus"];
      if (!allocated.empty()) allocated.forbidden("must not be specified in container status");
    }
  }
}

}  // namespace tabernetes::registry::validation
