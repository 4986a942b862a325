#include "kinds/defaults_pod.h"

#include <algorithm>
#include <string>

#include "base/api/quantity.h"
#include "base/text/ascii.h"
#include "json/access.h"
#include "json/fill.h"
#include "kinds/defaults_volume.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Arena;
using json::Value;

constexpr std::string_view kContainerLists[] = {"containers", "initContainers"};
constexpr std::string_view kAllContainerLists[] = {"containers", "initContainers",
                                                   "ephemeralContainers"};

void set_http_get_defaults(Value& handler, Arena& arena) {
  Value* http = object_in(handler, "httpGet");
  if (http == nullptr) return;
  fill_text(*http, "path", "/", arena);
  fill_text(*http, "scheme", "HTTP", arena);
}

void set_probe_defaults(Value& container, std::string_view name, Arena& arena) {
  Value* probe = object_in(container, name);
  if (probe == nullptr) return;
  fill_int(*probe, "timeoutSeconds", 1, arena);
  fill_int(*probe, "periodSeconds", 10, arena);
  fill_int(*probe, "successThreshold", 1, arena);
  fill_int(*probe, "failureThreshold", 3, arena);
  set_http_get_defaults(*probe, arena);
  if (Value* grpc = object_in(*probe, "grpc")) fill(*grpc, "service", Value::string(""), arena);
}

void set_env_defaults(Value& container, Arena& arena) {
  for (Value& variable : items_in(container, "env")) {
    Value* source = object_in(variable, "valueFrom");
    if (source == nullptr) continue;
    if (Value* field = object_in(*source, "fieldRef")) fill_text(*field, "apiVersion", "v1", arena);
    if (Value* file = object_in(*source, "fileKeyRef")) fill_bool(*file, "optional", false, arena);
  }
}

void set_container_defaults(Value& container, Arena& arena) {
  fill_text(container, "imagePullPolicy", image_pull_policy(container.string_at("image")), arena);
  fill_text(container, "terminationMessagePath", "/dev/termination-log", arena);
  fill_text(container, "terminationMessagePolicy", "File", arena);
  for (Value& port : items_in(container, "ports")) fill_text(port, "protocol", "TCP", arena);
  set_env_defaults(container, arena);
  for (const std::string_view probe : {"livenessProbe", "readinessProbe", "startupProbe"}) {
    set_probe_defaults(container, probe, arena);
  }
  if (Value* lifecycle = object_in(container, "lifecycle")) {
    for (const std::string_view hook : {"postStart", "preStop"}) {
      if (Value* handler = object_in(*lifecycle, hook)) set_http_get_defaults(*handler, arena);
    }
  }
}

// Returns a copy of the requests in `resources`, since trees may be shared.
Value copied_requests(Value& resources, Arena& arena) {
  Value requests = Value::object(arena);
  if (const Value* given = object_in(resources, "requests")) {
    for (const json::Member& request : given->members()) {
      requests.append(arena, request.key, request.value);
    }
  }
  return requests;
}

// Sets missing requests to the limits.
void default_requests_to_limits(Value& container, Arena& arena) {
  Value* resources = object_in(container, "resources");
  const Value* limits = resources == nullptr ? nullptr : object_in(*resources, "limits");
  if (limits == nullptr || limits->size() == 0) return;
  Value requests = copied_requests(*resources, arena);
  for (const json::Member& limit : limits->members()) {
    fill(requests, limit.key, limit.value, arena);
  }
  requests.sort_members();
  resources->set(arena, "requests", requests);
}

bool is_pod_level_resource(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

// Returns the total of a resource for all containers; nullopt if no container requests it. Init
// containers run one after another before the others; restartable ones keep running. Source:
// upstream 1.36 k8s.io/component-helpers/resource, AggregateContainerRequests.
std::optional<Quantity> aggregate(const Value& spec, std::string_view list, std::string_view name) {
  const auto asked = [&](const Value& container) -> std::optional<Quantity> {
    const Value* amount = container.at({"resources", list, name});
    if (amount == nullptr || !amount->is_string()) return std::nullopt;
    std::string_view error;
    return Quantity::parse(amount->as_string(), error);
  };
  bool any = false;
  Quantity sum;
  for (const Value& container : items_in(spec, "containers")) {
    if (const auto amount = asked(container)) {
      sum.add(*amount);
      any = true;
    }
  }
  Quantity beside;
  Quantity most;
  for (const Value& container : items_in(spec, "initContainers")) {
    Quantity amount = asked(container).value_or(Quantity());
    any = any || asked(container).has_value();
    if (container.string_at("restartPolicy") == "Always") {
      sum.add(amount);
      beside.add(amount);
      amount = beside;
    } else {
      amount.add(beside);
    }
    if (most.compare(amount) < 0) most = amount;
  }
  if (!any) return std::nullopt;
  return sum.compare(most) < 0 ? most : sum;
}

// Sets missing pod-level requests of limited resources: the total of the containers, else the
// limit.
void set_pod_level_requests(Value& spec, Arena& arena) {
  Value* resources = object_in(spec, "resources");
  const Value* limits = resources == nullptr ? nullptr : object_in(*resources, "limits");
  if (limits == nullptr || limits->size() == 0) return;
  Value requests = copied_requests(*resources, arena);
  for (const json::Member& limit : limits->members()) {
    if (!is_pod_level_resource(limit.key) || requests.find(limit.key) != nullptr) continue;
    const auto together = aggregate(spec, "requests", limit.key);
    requests.append(
        arena, limit.key,
        together ? Value::string(arena.copy(together->to_string())) : Value(limit.value));
  }
  requests.sort_members();
  if (requests.size() > 0) resources->set(arena, "requests", requests);
}

void set_host_ports(Value& spec, Arena& arena) {
  const Value* host_network = spec.find("hostNetwork");
  if (host_network == nullptr || !host_network->is_bool() || !host_network->as_bool()) return;
  for (const std::string_view list : kContainerLists) {
    for (Value& container : items_in(spec, list)) {
      for (Value& port : items_in(container, "ports")) {
        if (const Value* number = port.find("containerPort"))
          fill(port, "hostPort", *number, arena);
      }
    }
  }
}

// Sets both names of the field to the same value; the new name wins.
void sync_service_account(Value& spec, Arena& arena) {
  std::string_view name = spec.string_at("serviceAccountName");
  if (name.empty()) name = spec.string_at("serviceAccount");
  if (name.empty()) return;
  spec.set(arena, "serviceAccountName", Value::string(name));
  spec.set(arena, "serviceAccount", Value::string(name));
}

// Removes the annotations that preceded the field for init containers. Source: upstream 1.36
// pkg/apis/core/v1/conversion.go, dropInitContainerAnnotations.
void drop_old_annotations(Value& pod) {
  Value* metadata = object_in(pod, "metadata");
  Value* annotations = metadata == nullptr ? nullptr : object_in(*metadata, "annotations");
  if (annotations == nullptr) return;
  for (const std::string_view key :
       {"pod.beta.kubernetes.io/init-containers", "pod.alpha.kubernetes.io/init-containers",
        "pod.beta.kubernetes.io/init-container-statuses",
        "pod.alpha.kubernetes.io/init-container-statuses"}) {
    annotations->erase(key);
  }
}

// Sets the single address and the first of the list to the same value; the single one wins.
void sync_first_address(Value& status, std::string_view single, std::string_view list,
                        Arena& arena) {
  const std::string_view address = status.string_at(single);
  const auto all = items_in(status, list);
  if (address.empty()) {
    if (!all.empty()) status.set(arena, single, Value::string(all[0].string_at("ip")));
  } else if (all.empty() || all[0].string_at("ip") != address) {
    Value first = Value::object(arena);
    first.append(arena, "ip", Value::string(address));
    Value only = Value::array(arena);
    only.push_back(arena, first);
    status.set(arena, list, only);
  }
}

// Returns true for letters and digits, separated by one dot, one or two underscores, or any number
// of dashes.
bool is_repository_part(std::string_view text) {
  if (text.empty() || !is_lower_or_digit(text.front()) || !is_lower_or_digit(text.back())) {
    return false;
  }
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (end < text.size() && text[end] == text[i]) ++end;
    const char c = text[i];
    const bool fits = is_lower_or_digit(c) || c == '-' || (c == '.' && end == i + 1) ||
                      (c == '_' && end <= i + 2);
    if (!fits || (!is_lower_or_digit(c) && !is_lower_or_digit(text[end]))) return false;
    i = end;
  }
  return true;
}

constexpr std::size_t kMaxRepository = 255;
constexpr std::string_view kLibrary = "library/";  // prefix of names without a slash

// Returns true if an image's name without its tag is valid. Source:
// github.com/distribution/reference.
bool is_repository(std::string_view name) {
  const std::size_t slash = name.find('/');
  const std::string_view host = name.substr(0, slash);
  const bool has_host =
      slash != std::string_view::npos &&
      (host == "localhost" || host.find_first_of(".:") != std::string_view::npos ||
       std::any_of(host.begin(), host.end(), is_upper));
  if (has_host) name.remove_prefix(slash + 1);
  const std::size_t library = slash == std::string_view::npos ? kLibrary.size() : 0;
  if (library + name.size() > kMaxRepository) return false;
  while (true) {
    const std::size_t end = name.find('/');
    if (!is_repository_part(name.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    name.remove_prefix(end + 1);
  }
}

}  // namespace

std::string_view image_pull_policy(std::string_view image) {
  const std::size_t digest = image.find('@');
  const std::string_view name = image.substr(0, digest);
  const std::size_t slash = name.rfind('/');
  const std::size_t colon = name.rfind(':');
  const bool tagged =
      colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
  const std::string_view tag = tagged ? name.substr(colon + 1) : std::string_view();
  if (!is_repository(tagged ? name.substr(0, colon) : name)) return "IfNotPresent";
  const bool newest = tagged ? tag == "latest" : digest == std::string_view::npos;
  return newest ? "Always" : "IfNotPresent";
}

void set_pod_template_defaults(Value& template_object, Arena& arena) {
  drop_old_annotations(template_object);
  Value& spec = object_or_new(template_object, "spec", arena);
  spec.reserve(arena, spec.size() + 10);
  fill_text(spec, "restartPolicy", "Always", arena);
  fill_text(spec, "dnsPolicy", "ClusterFirst", arena);
  fill_text(spec, "schedulerName", "default-scheduler", arena);
  fill_int(spec, "terminationGracePeriodSeconds", 30, arena);
  fill_object(spec, "securityContext", arena);
  sync_service_account(spec, arena);
  for (const std::string_view list : kAllContainerLists) {
    for (Value& container : items_in(spec, list)) set_container_defaults(container, arena);
  }
  for (Value& volume : items_in(spec, "volumes")) set_volume_defaults(volume, arena);
}

void set_pod_defaults(const HookContext& context, Value& pod) {
  Arena& arena = context.arena;
  set_pod_template_defaults(pod, arena);
  Value& spec = object_or_new(pod, "spec", arena);
  // A pod's negative grace period becomes 1; a template's is kept.
  Value* grace = spec.find("terminationGracePeriodSeconds");
  if (grace != nullptr && grace->is_int() && grace->as_int() < 0) *grace = Value::integer(1);
  fill_bool(spec, "enableServiceLinks", true, arena);
  for (const std::string_view list : kContainerLists) {
    for (Value& container : items_in(spec, list)) default_requests_to_limits(container, arena);
  }
  set_pod_level_requests(spec, arena);
  set_host_ports(spec, arena);
  if (Value* status = object_in(pod, "status"))
    sync_first_address(*status, "podIP", "podIPs", arena);
}

}  // namespace tabernetes::registry::kinds
