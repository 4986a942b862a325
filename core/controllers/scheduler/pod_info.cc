#include "controllers/scheduler/pod_info.h"

#include "json/access.h"

namespace tabernetes::controllers::scheduling {
namespace {

using json::Value;

constexpr std::string_view kAnyAddress = "0.0.0.0";

void read_ports(const Value& containers_of, std::string_view list, PodInfo& pod) {
  for (const Value& container : json::items_in(containers_of, list)) {
    if (list == "initContainers" && container.string_at("restartPolicy") != "Always") continue;
    for (const Value& port : json::items_in(container, "ports")) {
      const std::int64_t number = json::number_at(port, {"hostPort"});
      if (number <= 0) continue;
      pod.ports.push_back({std::string(json::text_if_set(port, {"hostIP"}, kAnyAddress)),
                           std::string(json::text_if_set(port, {"protocol"}, "TCP")), number});
      if (pod.ports.back().ip.empty()) pod.ports.back().ip = kAnyAddress;
    }
  }
}

std::vector<AffinityTerm> read_terms(std::string_view ns, const Value* affinity) {
  std::vector<AffinityTerm> terms;
  if (affinity == nullptr) return terms;
  for (const Value& term :
       json::items_in(*affinity, "requiredDuringSchedulingIgnoredDuringExecution")) {
    terms.push_back({PodSelector::of_term(ns, term), std::string(term.string_at("topologyKey"))});
  }
  return terms;
}

void read_preferred(std::string_view ns, const Value* affinity, std::int64_t sign,
                    std::vector<AffinityTerm>& terms) {
  if (affinity == nullptr) return;
  for (const Value& weighted :
       json::items_in(*affinity, "preferredDuringSchedulingIgnoredDuringExecution")) {
    const Value* term = json::object_in(weighted, "podAffinityTerm");
    if (term == nullptr) continue;
    terms.push_back({PodSelector::of_term(ns, *term), std::string(term->string_at("topologyKey")),
                     sign * json::number_at(weighted, {"weight"})});
  }
}

PodAffinity read_affinity(std::string_view ns, const Value& spec) {
  PodAffinity affinity;
  const Value* with = spec.at({"affinity", "podAffinity"});
  const Value* apart = spec.at({"affinity", "podAntiAffinity"});
  affinity.required = read_terms(ns, with);
  affinity.required_anti = read_terms(ns, apart);
  read_preferred(ns, with, 1, affinity.preferred);
  read_preferred(ns, apart, -1, affinity.preferred);
  return affinity;
}

SpreadConstraint read_constraint(const PodInfo& pod, const Value& text) {
  SpreadConstraint constraint;
  constraint.hard = text.string_at("whenUnsatisfiable") == "DoNotSchedule";
  constraint.max_skew = json::number_at(text, {"maxSkew"});
  if (json::has(text, {"minDomains"})) {
    constraint.min_domains = json::number_at(text, {"minDomains"});
  }
  constraint.topology_key = text.string_at("topologyKey");
  constraint.pods = PodSelector(pod.ns, text.find("labelSelector"));
  for (const Value& key : json::items_in(text, "matchLabelKeys")) {
    const auto value = pod.labels.find(json::text_of(key));
    if (value) constraint.pods.require(json::text_of(key), *value);
  }
  constraint.honours_affinity = text.string_at("nodeAffinityPolicy") != "Ignore";
  constraint.honours_taints = text.string_at("nodeTaintsPolicy") == "Honor";
  return constraint;
}

void read_exclusive(const Value& volume, PodInfo& pod) {
  static constexpr struct {
    std::string_view kind, id;
  } kKinds[] = {{"gcePersistentDisk", "pdName"},
                {"awsElasticBlockStore", "volumeID"},
                {"iscsi", "iqn"},
                {"rbd", "image"}};
  for (const auto& [kind, id] : kKinds) {
    const Value* source = json::object_in(volume, kind);
    if (source == nullptr) continue;
    ExclusiveVolume exclusive{
        std::string(kind),
        std::string(source->string_at(id)),
        {},
        kind != "awsElasticBlockStore" && json::bool_at(*source, {"readOnly"})};
    if (kind == "rbd") {
      exclusive.id.insert(0, std::string(source->string_at("pool")) + "/");
      for (const Value& monitor : json::items_in(*source, "monitors")) {
        exclusive.monitors.emplace_back(json::text_of(monitor));
      }
    }
    pod.exclusive.push_back(std::move(exclusive));
  }
}

void read_volumes(const Value& spec, PodInfo& pod) {
  for (const Value& volume : json::items_in(spec, "volumes")) {
    if (const Value* claim = json::object_in(volume, "persistentVolumeClaim")) {
      pod.claims.push_back({std::string(claim->string_at("claimName"))});
    } else if (json::object_in(volume, "ephemeral") != nullptr) {
      pod.claims.push_back({pod.name + "-" + std::string(volume.string_at("name")), true});
    } else if (const Value* csi = json::object_in(volume, "csi")) {
      pod.csi_drivers.emplace_back(csi->string_at("driver"));
    } else if (const Value* image = json::object_in(volume, "image")) {
      pod.images.push_back(normalised_image(image->string_at("reference")));
    } else {
      read_exclusive(volume, pod);
    }
  }
}

void read_images(const Value& spec, PodInfo& pod) {
  for (const std::string_view list : {"initContainers", "containers"}) {
    for (const Value& container : json::items_in(spec, list)) {
      ++pod.containers;
      pod.images.push_back(normalised_image(container.string_at("image")));
    }
  }
}

void read_metadata(const Value& metadata, PodInfo& pod) {
  pod.ns = metadata.string_at("namespace");
  pod.name = metadata.string_at("name");
  pod.uid = metadata.string_at("uid");
  pod.version = metadata.string_at("resourceVersion");
  pod.generation = json::number_at(metadata, {"generation"});
  pod.labels = LabelSet(metadata.find("labels"));
  pod.terminating = json::has(metadata, {"deletionTimestamp"});
  for (const Value& owner : json::items_in(metadata, "ownerReferences")) {
    if (!json::bool_at(owner, {"controller"})) continue;
    pod.owner = std::string(owner.string_at("kind")) + "/" + std::string(owner.string_at("name"));
    pod.owner_api_version = owner.string_at("apiVersion");
  }
}

void read_status(const Value& object, PodInfo& pod) {
  const std::string_view phase = json::text_at(object, {"status", "phase"});
  pod.over = phase == "Succeeded" || phase == "Failed";
  pod.nominated_node = json::text_at(object, {"status", "nominatedNodeName"});
}

void read_device_claims(const Value& object, PodInfo& pod) {
  for (const Value& claim : json::items_at(object, {"spec", "resourceClaims"})) {
    DeviceClaim& read = pod.device_claims.emplace_back();
    read.claim = claim.string_at("resourceClaimName");
    if (!read.claim.empty()) continue;
    read.generated = true;
    read.created = false;
    for (const Value& status : json::items_at(object, {"status", "resourceClaimStatuses"})) {
      if (status.string_at("name") != claim.string_at("name")) continue;
      read.created = true;
      read.claim = status.string_at("resourceClaimName");
    }
  }
}

}  // namespace

bool HostPort::conflicts(const HostPort& other) const {
  if (port != other.port || protocol != other.protocol) return false;
  return ip == other.ip || ip == kAnyAddress || other.ip == kAnyAddress;
}

PodPtr read_pod(const Value& object) {
  auto result = std::make_shared<PodInfo>();
  PodInfo& pod = *result;
  if (const Value* metadata = object.find("metadata")) read_metadata(*metadata, pod);
  read_status(object, pod);
  const Value* found = json::object_in(object, "spec");
  if (found == nullptr) return result;
  const Value& spec = *found;
  pod.scheduler = spec.string_at("schedulerName");
  pod.node = spec.string_at("nodeName");
  pod.priority = json::number_at(spec, {"priority"});
  pod.never_preempts = spec.string_at("preemptionPolicy") == "Never";
  pod.gated = !json::items_in(spec, "schedulingGates").empty();
  read_device_claims(object, pod);
  pod.requests = read_pod_requests(spec);
  read_ports(spec, "initContainers", pod);
  read_ports(spec, "containers", pod);
  pod.tolerations = read_tolerations(spec);
  pod.nodes = NodeDemands::read(spec);
  pod.affinity = read_affinity(pod.ns, spec);
  for (const Value& text : json::items_in(spec, "topologySpreadConstraints")) {
    pod.spread.push_back(read_constraint(pod, text));
  }
  read_volumes(spec, pod);
  read_images(spec, pod);
  return result;
}

std::string normalised_image(std::string_view image) {
  const std::size_t colon = image.rfind(':');
  const std::size_t slash = image.rfind('/');
  const bool tagged =
      colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
  return std::string(image) + (tagged ? "" : ":latest");
}

}  // namespace tabernetes::controllers::scheduling
