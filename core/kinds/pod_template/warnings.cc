// Source: upstream 1.36 pkg/api/pod/warnings.go.
#include "kinds/pod_template/warnings.h"

#include <string>
#include <vector>

#include "base/api/names.h"
#include "base/go/text.h"
#include "json/access.h"
#include "kinds/pod_template/app_armor.h"
#include "kinds/pod_template/pod_scope.h"
#include "kinds/shared/addresses.h"
#include "kinds/shared/node_selectors.h"
#include "kinds/shared/resource_names.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

constexpr std::string_view kNoSelector = "a null labelSelector results in matching no pod";
constexpr std::string_view kUseSeccomp =
    "non-functional in v1.27+; use the \"seccompProfile\" field instead";
constexpr std::string_view kWarnedLists[] = {"initContainers", "containers", "ephemeralContainers"};

// The spec and metadata of a pod or template.
struct Pod {
  const Field& base;
  const Field spec = base["spec"];
  const Field metadata = base["metadata"];
  const Field annotations = metadata["annotations"];
};

template <typename Visit>
void each_container(const Pod& pod, const Visit& visit) {
  for (const std::string_view name : kWarnedLists) {
    const Field list = pod.spec[name];
    for (const Field container : list.items()) visit(container);
  }
}

void warn_of_annotation(const Pod& pod, std::string_view key, std::string_view text,
                        Warnings& out) {
  if (pod.annotations.find(key) != nullptr) out.at(pod.annotations.key(key), {text});
}

void warn_of_old_annotations(const Pod& pod, Warnings& out) {
  warn_of_annotation(pod, "scheduler.alpha.kubernetes.io/critical-pod",
                     "non-functional in v1.16+; use the \"priorityClassName\" field instead", out);
  for (const std::string_view key :
       {"security.alpha.kubernetes.io/sysctls", "security.alpha.kubernetes.io/unsafe-sysctls"}) {
    warn_of_annotation(pod, key, "non-functional in v1.11+; use the \"sysctls\" field instead",
                       out);
  }
}

void warn_of_nodes(const Pod& pod, Warnings& out) {
  const Field selector = pod.spec["nodeSelector"];
  for (const Field label : selector.items()) warn_of_node_label(label, label.name(), out);
  const Field affinity = pod.spec["affinity"];
  const Field nodes = affinity["nodeAffinity"];
  const Field required = nodes["requiredDuringSchedulingIgnoredDuringExecution"];
  const Field terms = required["nodeSelectorTerms"];
  for (const Field term : terms.items()) warn_of_node_term(term, false, out);
  const Field preferred = nodes["preferredDuringSchedulingIgnoredDuringExecution"];
  for (const Field term : preferred.items()) warn_of_node_term(term["preference"], true, out);
  const Field spread = pod.spec["topologySpreadConstraints"];
  for (const Field constraint : spread.items()) {
    const Field key = constraint["topologyKey"];
    warn_of_node_label(key, key.text(), out, key.text());
    if (!constraint.has("labelSelector")) out.at(constraint["labelSelector"], {kNoSelector});
  }
}

// Warns about items with the same text in `name` as an earlier one.
void warn_of_repeats(const Field& list, std::string_view name, Warnings& out) {
  if (list.size() < 2) return;
  FirstOccurrences known(out.arena());
  for (const Field item : list.items()) {
    const std::string_view text = item.text_at(name);
    if (known.find_or_add(text, item.index()) == item.index()) continue;
    out.at(item[name], {"duplicate ", name, " ", go_quote(text)});
  }
}

void warn_of_env(const Field& env, Warnings& out) {
  if (env.size() < 2) return;
  FirstOccurrences known(out.arena());
  for (const Field item : env.items()) {
    const std::string_view name = item.text_at("name");
    if (known.find_or_add(name, item.index()) == item.index()) continue;
    // A repeated variable may refer to its previous value.
    const std::string reference = "$(" + std::string(name) + ")";
    const std::string_view value = item.text_at("value");
    if (!item.has("valueFrom") && value != reference &&
        value.find(reference) != std::string_view::npos) {
      continue;
    }
    out.at(item, {"hides previous definition of ", go_quote(name),
                  ", which may be dropped when using apply"});
  }
}

void warn_of_container(const Pod& pod, const Field& container, bool in_template, Warnings& out) {
  const Value* security = container.find("securityContext");
  const std::string_view name = container.text_at("name");
  if (security == nullptr || security->find("seccompProfile") == nullptr) {
    warn_of_annotation(pod, "container.seccomp.security.alpha.kubernetes.io/" + std::string(name),
                       kUseSeccomp, out);
  }
  if (in_template && app_armor_of(*container.value()) == nullptr) {
    const std::string key = std::string(kAppArmor) + std::string(name);
    const Profile profile = profile_of(pod.annotations.text_at(key));
    const Value* spec = pod.spec.value();
    if (spec == nullptr || !is_profile(app_armor_of(*spec), profile)) {
      warn_of_annotation(pod, key, kUseAppArmor, out);
    }
  }
  const Field resources = container["resources"];
  const Field limits = resources["limits"];
  const Field requests = resources["requests"];
  for (const std::string_view resource : {"memory", "ephemeral-storage"}) {
    warn_of_fraction(limits, resource, out);
    warn_of_fraction(requests, resource, out);
  }
  warn_of_env(container["env"], out);
}

// A port and its path, for comparison with later ones.
struct Port {
  const Value* value;
  std::string path;
  std::size_t next = 0;  // next port with the same number and protocol; 0: none
};

std::int64_t port_number_in(const Value& object, std::string_view key) {
  const Value* number = object.find(key);
  return number != nullptr && number->is_int() ? number->as_int() : 0;
}

// Compares two ports with the same number and protocol.
std::string_view conflict_of(const Value& port, const Value& other) {
  const std::string_view ip = port.string_at("hostIP");
  const std::string_view other_ip = other.string_at("hostIP");
  const std::int64_t host = port_number_in(port, "hostPort");
  const std::int64_t other_host = port_number_in(other, "hostPort");
  if (ip == other_ip && host == other_host) return "duplicate";
  if (host == 0 || other_host == 0) return "overlapping";
  if (host == other_host && ip.empty() != other_ip.empty()) return "dangerously ambiguous";
  return {};
}

void warn_of_host_ip(const Field& place, const Value& port, Warnings& out) {
  const std::string_view ip = port.string_at("hostIP");
  if (ip.empty() || port_number_in(port, "hostPort") != 0) return;
  out.at(place,
         {"hostIP set without hostPort: {Name:", port.string_at("name"),
          " HostPort:0 ContainerPort:", std::to_string(port_number_in(port, "containerPort")),
          " Protocol:", port.string_at("protocol"), " HostIP:", ip, "}"});
}

void warn_of_ports(const Pod& pod, Warnings& out) {
  std::vector<Port> ports;
  FirstOccurrences numbers(out.arena());
  each_container(pod, [&](const Field& container) {
    const Field list = container["ports"];
    for (const Field place : list.items()) {
      const Value& port = *place.value();
      warn_of_host_ip(place, port, out);
      ports.push_back({&port, place.path().text()});
      const std::size_t self = ports.size() - 1;
      const std::string key = std::to_string(port_number_in(port, "containerPort")) + "/" +
                              std::string(port.string_at("protocol"));
      auto other = static_cast<std::size_t>(
          numbers.find_or_add(out.arena().copy(key), static_cast<std::int64_t>(self)));
      for (; other != self && !out.full(); other = ports[other].next) {
        const std::string_view conflict = conflict_of(port, *ports[other].value);
        if (!conflict.empty()) {
          out.at(place, {conflict, " port definition with ", ports[other].path});
        }
        if (ports[other].next == 0) ports[other].next = self;
      }
    }
  });
  // Names are reported after everything else.
  FirstOccurrences names(out.arena());
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const std::string_view name = ports[i].value->string_at("name");
    if (name.empty()) continue;
    const auto first =
        static_cast<std::size_t>(names.find_or_add(name, static_cast<std::int64_t>(i)));
    if (first == i) continue;
    out.add({ports[i].path, ": duplicate port name ", go_quote(name), " with ", ports[first].path,
             ", services and probes that select ports by name will use ", ports[first].path});
  }
}

void warn_of_pod_terms(const Pod& pod, Warnings& out) {
  const Field affinity = pod.spec["affinity"];
  for (const std::string_view name : {"podAffinity", "podAntiAffinity"}) {
    const Field side = affinity[name];
    const Field required = side["requiredDuringSchedulingIgnoredDuringExecution"];
    for (const Field term : required.items()) {
      if (!term.has("labelSelector")) out.at(term["labelSelector"], {kNoSelector});
    }
    const Field preferred = side["preferredDuringSchedulingIgnoredDuringExecution"];
    for (const Field weighted : preferred.items()) {
      const Field term = weighted["podAffinityTerm"];
      if (!term.has("labelSelector")) out.at(term["labelSelector"], {kNoSelector});
    }
  }
}

}  // namespace

void warn_of_pod_at(const Field& base, bool in_template, Warnings& out) {
  const Pod pod{base};
  const Field& spec = pod.spec;
  warn_of_nodes(pod, out);
  warn_of_old_annotations(pod, out);
  warn_of_volumes(spec["volumes"], out);
  const Field aliases = spec["hostAliases"];
  warn_of_repeats(aliases, "ip", out);
  const Field secrets = spec["imagePullSecrets"];
  warn_of_repeats(secrets, "name", out);
  for (const Field secret : secrets.items()) {
    if (secret.text_at("name").empty()) out.at(secret["name"], {"invalid empty name \"\""});
  }
  const Field overhead = spec["overhead"];
  warn_of_fraction(overhead, "memory", out);
  warn_of_fraction(overhead, "ephemeral-storage", out);
  const Field security = spec["securityContext"];
  if (!security.has("seccompProfile")) {
    warn_of_annotation(pod, "seccomp.security.alpha.kubernetes.io/pod", kUseSeccomp, out);
  }
  each_container(
      pod, [&](const Field& container) { warn_of_container(pod, container, in_template, out); });
  warn_of_ports(pod, out);
  if (spec.number_at("terminationGracePeriodSeconds") < 0) {
    out.at(spec["terminationGracePeriodSeconds"],
           {"must be >= 0; negative values are invalid and will be treated as 1"});
  }
  warn_of_pod_terms(pod, out);
  const Field dns = spec["dnsConfig"];
  warn_of_ips(dns["nameservers"], out);
  for (const Field alias : aliases.items()) warn_of_ip(alias["ip"], out);
}

void warn_of_name(const Field& object, std::string_view use, Warnings& out) {
  const Field metadata = object["metadata"];
  std::string joined;
  for (const std::string& fault : dns1123_label_faults(metadata.text_at("name"))) {
    if (!joined.empty()) joined += ' ';
    joined += fault;
  }
  if (joined.empty()) return;
  out.at(metadata["name"],
         {"this is used in ", use,
          ", which can result in surprising behavior; a DNS label is recommended: [", joined, "]"});
}

bool same_generation(const Field& object, const Value& old) {
  const Value* metadata = old.find("metadata");
  return metadata != nullptr &&
         port_number_in(*metadata, "generation") == object["metadata"].number_at("generation");
}

void warn_of_spec_template(const Field& object, const Value* old, Warnings& out) {
  if (old != nullptr && same_generation(object, *old)) return;
  const Field spec = object["spec"];
  warn_of_pod_at(spec["template"], true, out);
}

void warn_of_replicas(const Field& object, const Value* old, Warnings& out) {
  if (old == nullptr) warn_of_name(object, kPodNames, out);
  warn_of_spec_template(object, old, out);
}

}  // namespace tabernetes::registry::kinds
