// Checks of pods, their containers and their scheduling. Source: upstream 1.36
// pkg/apis/core/validation/validation.go, ValidatePodSpec and below.
#include <string>

#include "kinds/pod_template/env_sources.h"
#include "kinds/pod_template/pod_scope.h"

namespace tabernetes::registry::kinds {
namespace {

bool is_static(const Place& place) { return place.pod->is_static; }
bool is_template(const Place& place) { return !place.pod->is_pod; }
bool resources(const Place& place) { return !place.now["resources"].empty(); }
bool backsteps(const Place& place) { return has_parent_element(place.now.text()); }

void static_claim(const Place& place) {
  // Upstream's path of the whole object.
  Field nowhere(*place.now.value(), place.now.errors());
  nowhere.key("").forbidden("static pods do not support resource claims");
}

void container_resources(const Place& place) {
  validate_container_resources(place.now, place.pod->claims);
}

void pod_resources(const Place& place) { validate_pod_resources(*place.pod); }

void overhead(const Place& place) { validate_resource_limits(place.now, place.now); }

// --- Containers

// `seen` contains the host ports of earlier containers, as texts that lie in `texts`.
struct HostPorts {
  NameTable seen;
  json::Arena texts;
};

void check_host_ports(const Field& container, HostPorts& taken) {
  const Field ports = container["ports"];
  for (const Field port : ports.items()) {
    const Field host_port = port["hostPort"];
    if (host_port.number() == 0) continue;
    std::string text(port.text_at("protocol"));
    text.append("/").append(port.text_at("hostIP")).append("/");
    text.append(std::to_string(host_port.number()));
    if (!taken.seen.add(taken.texts.copy(text))) host_port.duplicate_as("\"" + text + "\"");
  }
}

void host_ports(const Place& place) {
  HostPorts ports;
  for (const Field container : place.now.items()) check_host_ports(container, ports);
}

// Upstream checks each container separately, with the index 0.
void container_host_ports(const Place& place) {
  HostPorts ports;
  check_host_ports(place.list->item(0).with(place.now), ports);
}

void volume(const Place& place) {
  if (!place.pod->volumes.has(place.now.text())) place.now.not_found();
}

void block_volume(const Place& place) {
  const NameTable::Entry* volume = place.pod->volumes.find(place.now.text());
  if (volume == nullptr) return place.now.not_found();
  if (volume->value->find("persistentVolumeClaim") == nullptr &&
      volume->value->find("ephemeral") == nullptr) {
    place.now.invalid(
        "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
  }
}

void relative_path(const Place& place) { validate_relative_path(place.now); }

void field_reference(const Place& place) {
  constexpr std::string_view kFields =
      "metadata.name,metadata.namespace,metadata.uid,spec.nodeName,spec.serviceAccountName,"
      "status.hostIP,status.hostIPs,status.podIP,status.podIPs";
  validate_field_reference(place.now, kFields);
}

void resource_reference(const Place& place) { validate_resource_reference(place.now, false); }

// A prefix of names may end with a dash.
void source_name(const Place& place) {
  const Field& name = place.now;
  std::string text(name.text());
  if (text.size() > 1 && text.back() == '-') text.replace(text.size() - 2, 2, "a");
  name.invalid(dns1123_subdomain_faults(text));
}

// The volume of a fileKeyRef must be an emptyDir.
void file_volume(const Place& place) {
  const json::Value* found = nullptr;
  const Field volumes = place.pod->spec["volumes"];
  for (const Field volume : volumes.items()) {
    if (volume.text_at("name") == place.now.text()) found = volume.value();
  }
  if (found == nullptr) {
    place.now.not_found();
  } else if (found->find("emptyDir") == nullptr) {
    place.now.invalid("referenced volume must be of type emptyDir");
  }
}

void sleep(const Place& place) {
  const Field grace = place.pod->spec["terminationGracePeriodSeconds"];
  const std::int64_t seconds = place.now.number_at("seconds");
  if (!grace.present() || (seconds >= 0 && seconds <= grace.number())) return;
  place.now.invalid_printed(std::to_string(seconds),
                            "must be non-negative and less than terminationGracePeriodSeconds (" +
                                std::to_string(grace.number()) + ")");
}

// --- Names

// Checks a domain whose labels may contain underscores, also as their first character.
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

void searches(const Place& place) {
  constexpr std::size_t kMaxText = 2048;
  const Field& list = place.now;
  std::size_t length = list.empty() ? 0 : list.size() - 1;
  for (const Field search : list.items()) length += search.text().size();
  if (length > kMaxText) {
    list.invalid("must not have more than 2048 characters (including spaces) in the search list");
  }
  for (const Field search : list.items()) {
    std::string_view text = search.text();
    if (text == ".") continue;
    if (text.ends_with('.')) text.remove_suffix(1);
    for (const std::string& fault : search_faults(text)) search.invalid_string(text, fault);
  }
}

// --- Scheduling

bool has_text(const Field& list, std::string_view text) {
  for (const Field item : list.items()) {
    if (item.text() == text) return true;
  }
  return false;
}

void validate_label_keys(const Field& keys, const Field& selector) {
  if (keys.empty()) return;
  if (!selector.present()) {
    return keys.forbidden("must not be specified when labelSelector is not set");
  }
  for (const Field key : keys.items()) key.format(qualified_name_faults);
}

// Returns the index of the last key that equals `text`.
std::size_t last_index(const Field& keys, std::string_view text) {
  for (std::size_t i = keys.size(); i > 0; --i) {
    if (keys.item(i - 1).text() == text) return i - 1;
  }
  return 0;
}

// Checks a place with matchLabelKeys, mismatchLabelKeys and labelSelector.
void match_keys(const Place& at) {
  const Field& place = at.now;
  const Field keys = place["matchLabelKeys"];
  const Field others = place["mismatchLabelKeys"];
  const Field selector = place["labelSelector"];
  validate_label_keys(keys, selector);
  validate_label_keys(others, selector);
  if (keys.empty()) return;
  const Field labels = selector["matchLabels"];
  const Field terms = selector["matchExpressions"];
  NameTable seen;
  for (const Field label : labels.items()) seen.add(label.name());
  for (const Field term : terms.items()) {
    const std::string_view key = term.text_at("key");
    if (has_text(keys, key) && seen.has(key)) {
      // In upstream's path the index follows the term itself.
      place.item_place(last_index(keys, key))
          .invalid_string(key, "exists in both matchLabelKeys and labelSelector");
    }
    seen.add(key);
  }
  for (const Field key : keys.items()) {
    if (has_text(others, key.text())) {
      key.invalid("exists in both matchLabelKeys and mismatchLabelKeys");
    }
  }
}

// Checks the matchLabelKeys of a spread constraint whose selector gets no terms for them.
void unmerged_keys(const Place& at) {
  const Field& place = at.now;
  const Field keys = place["matchLabelKeys"];
  if (keys.empty()) return;
  const Field selector = place["labelSelector"];
  if (!selector.present()) keys.forbidden("must not be specified when labelSelector is not set");
  const Field labels = selector["matchLabels"];
  const Field terms = selector["matchExpressions"];
  NameTable selected;
  for (const Field label : labels.items()) selected.add(label.name());
  for (const Field term : terms.items()) selected.add(term.text_at("key"));
  for (const Field key : keys.items()) {
    key.format(qualified_name_faults);
    if (selected.has(key.text())) key.invalid("exists in both matchLabelKeys and labelSelector");
  }
}

// Returns true if a later constraint has the same topology.
bool is_repeated(const Field& constraints, const Field& constraint) {
  for (std::size_t i = constraint.index() + 1; i < constraints.size(); ++i) {
    const Field other = constraints.item(i);
    if (other.text_at("topologyKey") == constraint.text_at("topologyKey") &&
        other.text_at("whenUnsatisfiable") == constraint.text_at("whenUnsatisfiable")) {
      return true;
    }
  }
  return false;
}

void repeated_spread(const Place& place) {
  const Field& constraint = place.now;
  if (!is_repeated(*place.list, constraint)) return;
  constraint["{topologyKey, whenUnsatisfiable}"].duplicate_as(
      "\"{" + std::string(constraint.text_at("topologyKey")) + ", " +
      std::string(constraint.text_at("whenUnsatisfiable")) + "}\"");
}

// Checks minDomains of a constraint.
void min_domains(const Place& place) {
  const std::string_view action = place.around->now.text_at("whenUnsatisfiable");
  if (action == "DoNotSchedule") return;
  place.now.invalid("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " +
                    std::string(action));
}

}  // namespace

extern const NamedCheck kPodChecks[] = {
    {"static-claim", &static_claim},
    {"container-resources", &container_resources},
    {"pod-resources", &pod_resources},
    {"overhead", &overhead},
    {"host-ports", &host_ports},
    {"own-host-ports", &container_host_ports},
    {"volume", &volume},
    {"block-volume", &block_volume},
    {"relative-path", &relative_path},
    {"field-reference", &field_reference},
    {"resource-reference", &resource_reference},
    {"source-name", &source_name},
    {"file-volume", &file_volume},
    {"sleep", &sleep},
    {"searches", &searches},
    {"match-keys", &match_keys},
    {"unmerged-keys", &unmerged_keys},
    {"repeated-spread", &repeated_spread},
    {"min-domains", &min_domains},
};

extern const NamedPredicate kPodPredicates[] = {
    {"static", &is_static},
    {"template", &is_template},
    {"resources", &resources},
    {"backsteps", &backsteps},
};

}  // namespace tabernetes::registry::kinds
