// Annotations that became fields, and annotations for controllers. Source: upstream 1.36
// pkg/apis/core/validation/validation.go, ValidatePodSpecificAnnotations,
// validateSeccompAnnotationsAndFields, validateAppArmorAnnotationsAndFieldsMatchOnCreate.
#include <string>

#include "base/go/text.h"
#include "base/text/ascii.h"
#include "kinds/pod_template/app_armor.h"
#include "kinds/pod_template/pod_scope.h"

namespace tabernetes::registry::kinds {
namespace {

constexpr std::string_view kMirror = "kubernetes.io/config.mirror";
constexpr std::string_view kDeletionCost = "controller.kubernetes.io/pod-deletion-cost";
constexpr std::string_view kSeccompOfPod = "seccomp.security.alpha.kubernetes.io/pod";
constexpr std::string_view kSeccomp = "container.seccomp.security.alpha.kubernetes.io/";
constexpr std::string_view kLocal = "localhost/";

bool is_cost(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (text.empty() || text[0] == '+' || (text[0] == '0' && text != "0")) return false;
  std::int64_t value = 0;
  for (const char c : text.substr(negative ? 1 : 0)) {
    if (!is_digit(c) || value > INT32_MAX) return false;
    value = value * 10 + (c - '0');
  }
  return text.size() > (negative ? 1u : 0u) && value <= (negative ? 2147483648 : 2147483647);
}

void validate_seccomp_text(const Field& annotations, const Field& entry) {
  // In upstream's path a dot precedes the key.
  const Field place = annotations.as(entry.name(), entry);
  std::string_view text = entry.text();
  if (listed("runtime/default,docker/default,unconfined", text)) return;
  if (!text.starts_with(kLocal)) return place.invalid("must be a valid seccomp profile");
  text.remove_prefix(kLocal.size());
  const json::Value path = json::Value::string(text);
  validate_relative_path(place.with(Field(path, place.errors())));
}

bool has_container(const Field& spec, std::string_view name) {
  bool found = false;
  each_container(
      spec, [&](const Field& container) { found = found || container.text_at("name") == name; });
  return found;
}

void validate_app_armor_text(const Field& entry, const Field& spec) {
  const std::string_view container = entry.name().substr(kAppArmor.size());
  if (!has_container(spec, container)) entry.invalid_string(container, "container not found");
  const std::string_view text = entry.text();
  if (text.empty() || listed("runtime/default,unconfined", text) || text.starts_with(kLocal)) {
    return;
  }
  entry.invalid("invalid AppArmor profile name: " + go_quote(text));
}

// Checks that a profile is the same in the annotation and the field.
void validate_same_profile(const Field& profile, std::string_view text, std::string_view system) {
  const Field type = profile["type"];
  const auto differs = [&](std::string_view member, std::string_view what) {
    profile[member].forbidden(std::string(system) + " " + std::string(what) +
                              " in annotation and field must match");
  };
  if (type.is("Unconfined")) {
    if (text != "unconfined") differs("type", "type");
  } else if (type.is("RuntimeDefault")) {
    const bool docker = system == "seccomp" && text == "docker/default";
    if (text != "runtime/default" && !docker) differs("type", "type");
  } else if (type.is("Localhost")) {
    if (!text.starts_with(kLocal)) {
      differs("type", "type");
    } else if (!profile.has("localhostProfile") ||
               !profile["localhostProfile"].is(text.substr(kLocal.size()))) {
      differs("localhostProfile", "profile");
    }
  }
}

// Returns the annotation of a container, or null.
const json::Value* annotation_of(const Field& annotations, std::string_view prefix,
                                 const Field& container) {
  if (annotations.empty()) return nullptr;
  return annotations.find(std::string(prefix) + std::string(container.text_at("name")));
}

}  // namespace

bool is_mirror(const Field& annotations) { return annotations.find(kMirror) != nullptr; }

void validate_pod_annotations(const Field& annotations, const Field& spec) {
  if (is_mirror(annotations) && spec.text_at("nodeName").empty()) {
    annotations.key(kMirror).invalid("must set spec.nodeName if mirror pod annotation is set");
  }
  const Field cost = annotations.key(kDeletionCost);
  if (cost.present() && !is_cost(cost.text()) &&
      annotations.capabilities().enabled("PodDeletionCost")) {
    cost.invalid("must be a 32bit integer");
  }
  const Field seccomp = annotations.key(kSeccompOfPod);
  if (seccomp.present()) validate_seccomp_text(annotations, seccomp);
  for (const Field entry : annotations.items()) {
    if (entry.name().starts_with(kSeccomp)) validate_seccomp_text(annotations, entry);
  }
  for (const Field entry : annotations.items()) {
    if (entry.name().starts_with(kAppArmor)) validate_app_armor_text(entry, spec);
  }
}

void validate_pod_annotation_update(const Field& pod, const Field& old) {
  const Field metadata = pod["metadata"];
  const Field before = old["metadata"];
  const Field now = metadata["annotations"];
  const Field then = before["annotations"];
  // Reports a changed key.
  const auto refuse = [&](std::string_view key, std::string_view what) {
    if (key.starts_with(kAppArmor)) {
      now.key(key).forbidden("may not " + std::string(what) + " AppArmor annotations");
    } else if (key == kMirror) {
      now.key(key).forbidden("may not " + std::string(what) + " mirror pod annotation");
    }
  };
  for (const Field entry : then.items()) {
    if (!now.key(entry.name()).same(entry)) refuse(entry.name(), "remove or update");
  }
  for (const Field entry : now.items()) {
    if (then.find(entry.name()) == nullptr) refuse(entry.name(), "add");
  }
  validate_pod_annotations(now, pod["spec"]);
}

void validate_profile_annotations(const Field& annotations, const Field& spec) {
  if (annotations.empty()) return;
  const Field context = spec["securityContext"];
  const Field seccomp = context["seccompProfile"];
  if (seccomp.present() && annotations.has(kSeccompOfPod)) {
    validate_same_profile(seccomp, annotations.text_at(kSeccompOfPod), "seccomp");
  }
  each_container(spec, [&](const Field& container) {
    const Field own = container["securityContext"];
    const Field profile = own["seccompProfile"];
    const json::Value* text = annotation_of(annotations, kSeccomp, container);
    if (profile.present() && text != nullptr) {
      validate_same_profile(profile, text->as_string(), "seccomp");
    }
  });
  const Field os = spec["os"];
  if (os["name"].is("windows")) return;
  const Field of_pod = context["appArmorProfile"];
  each_container(spec, [&](const Field& container) {
    const Field own = container["securityContext"];
    const Field of_container = own["appArmorProfile"];
    const Field profile = of_container.present() ? of_container : of_container.with(of_pod);
    const json::Value* text = annotation_of(annotations, kAppArmor, container);
    if (profile.present() && text != nullptr) {
      validate_same_profile(profile, text->as_string(), "apparmor");
    }
  });
}

}  // namespace tabernetes::registry::kinds
