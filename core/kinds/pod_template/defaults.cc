#include "kinds/pod_template/defaults.h"

#include <algorithm>

#include "base/text/ascii.h"
#include "json/access.h"
#include "json/fill.h"
#include "kinds/row/rules.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Arena;
using json::Value;

constexpr std::string_view kDefaultedLists[] = {"containers", "initContainers",
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
  for (const std::string_view list : kDefaultedLists) {
    for (Value& container : items_in(spec, list)) set_container_defaults(container, arena);
  }
  for (Value& volume : items_in(spec, "volumes")) set_volume_defaults(volume, arena);
}

extern const NamedFill kFills[] = {
    {"template-defaults", &set_pod_template_defaults},
};

}  // namespace tabernetes::registry::kinds
