// Checks writes to the status of a pod. Source: upstream 1.36
// pkg/apis/core/validation/validation.go, ValidatePodStatusUpdate.
#include <string>

#include "base/net/ip_address.h"
#include "kinds/core/pod_validation.h"
#include "kinds/pod_template/pod_scope.h"
#include "rules/formats.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kPodStatusRules, R"(
status
 conditions[]
  observedGeneration ge:0 "must be a non-negative integer"
  ?type!=PodScheduled|Ready|Initialized
   type>Type is:qualified
 nominatedNodeName opt
  ?~
   . is:subdomain
   ?@was-bound
    . deny "may not be set on pods that are already bound to a node"
 observedGeneration ge:0 "must be a non-negative integer"
 qosClass immutable=""
@transitions
status
 resourceClaimStatuses[]
  name among:...spec.resourceClaims[].name "must match the name of an entry in `spec.resourceClaims`"
  name distinct=""
  resourceClaimName given is:subdomain
 extendedResourceClaimStatus given
  requestMappings required "at least one request mapping is required"
  requestMappings[] @request-mapping
  resourceClaimName required is:subdomain
 podIPs @addresses
 hostIPs @host-addresses
 containerStatuses,initContainerStatuses,ephemeralContainerStatuses[].user.linux given
  ?/spec.os.name=windows
   . deny "cannot be set for a windows pod"
  else
   uid,gid range:0-2147483647
   supplementalGroups[] range:0-2147483647
 containerStatuses,initContainerStatuses[].allocatedResourcesStatus[]
  name @allocated
  resources[]
   health enum:Healthy,Unhealthy,Unknown
   message given required "must be non-empty if specified" maxlen:1024
   resourceID distinct=""
 ephemeralContainerStatuses[].allocatedResourcesStatus forbid "must not be specified in container status"
)");

namespace {

// --- Terminated containers

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

// Returns true if a rule of some container restarts all containers.
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

struct Sort {
  std::string_view statuses, containers;
};

// Checks the container statuses of a pod.
void transitions(const Place& place) {
  constexpr Sort kSorts[] = {{"containerStatuses", "containers"},
                             {"initContainerStatuses", "initContainers"},
                             {"ephemeralContainerStatuses", "ephemeralContainers"}};
  const Field old(*place.old, place.now.errors());
  const Field spec = old["spec"];
  const Field status = place.now["status"];
  const Field before = old["status"];
  for (const Sort& sort : kSorts) {
    validate_transitions(status[sort.statuses], before[sort.statuses], spec[sort.containers], spec,
                         sort.containers == "ephemeralContainers");
  }
}

// Returns true if the old pod has a node.
bool was_bound(const Place& place) {
  const json::Value* node = place.around->around->old->at({"spec", "nodeName"});
  return node != nullptr && !node->as_string().empty();
}

// --- Addresses

void validate_addresses(const Field& list, const Field& old) {
  for (const Field entry : list.items()) {
    const Field address = entry.with(entry["ip"]);
    bool stood = false;
    for (const Field before : old.items()) stood = stood || before["ip"].is(address.text());
    if (!stood) address.format(ip_format(address.capabilities()));
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
  list.invalid_printed(printed + "]", "may specify no more than one IP for each IP family");
}

void addresses(const Place& place) {
  const json::Value none;
  validate_addresses(place.now,
                     Field(place.old == nullptr ? none : *place.old, place.now.errors()));
}

void host_addresses(const Place& place) {
  const Field& list = place.now;
  if (list.empty()) return;
  const Field first = list.item(0);
  if (!first["ip"].same(place.around->now["hostIP"])) {
    first["ip"].invalid("must be equal to `hostIP`");
  }
  addresses(place);
}

// --- Claims

// Checks an extendedResourceClaimStatus.
void request_mapping(const Place& place) {
  const Field& mapping = place.now;
  const Field& status = place.around->around->now;
  const Field spec(*place.root->find("spec"), mapping.errors());
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
    if (!place.list->item(i).same(mapping)) continue;
    for (const std::string_view field : {"containerName", "resourceName", "requestName"}) {
      mapping[field].duplicate();
    }
    break;
  }
}

// Returns true for "claim:name" and "claim:name/request".
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

// Checks the resource name of a container's allocatedResourcesStatus.
void allocated(const Place& place) {
  const Field& name = place.now;
  // Three levels up: the status of the container.
  const Place& status = *place.around->around->around;
  const bool is_init = status.around->member == "initContainerStatuses";
  const Field spec(*place.root->find("spec"), name.errors());
  const json::Value* container =
      find_named(spec[is_init ? "initContainers" : "containers"], status.now.text_at("name"));
  if (container == nullptr) return;
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

}  // namespace

void validate_pod_status(const Field& pod, const Field& old) {
  validate_pod_annotation_update(pod, old);
  kPodStatusRules.check(Place{pod, old.value(), Write::kStatus, pod.value()});
}

extern const NamedCheck kPodStatusChecks[] = {
    {"transitions", &transitions},       {"addresses", &addresses},
    {"host-addresses", &host_addresses}, {"request-mapping", &request_mapping},
    {"allocated", &allocated},
};

extern const NamedPredicate kPodStatusPredicates[] = {
    {"was-bound", &was_bound},
};

}  // namespace tabernetes::registry::kinds
