// Containers of all sorts: what they are called, run, mount, listen on.
// Source: upstream 1.36 pkg/apis/core/validation/validation.go, validateContainers and below.

#include <string>

#include "registry/validation/environment.h"
#include "registry/validation/formats.h"
#include "registry/validation/pod_parts.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::string_view kUnique = "must be unique";
constexpr std::string_view kWithoutAlways =
    "may not be set for init containers without restartPolicy=Always";
constexpr std::string_view kNotEphemeral = "cannot be set for an Ephemeral Container";
constexpr std::size_t kMostRules = 20;
constexpr std::size_t kMostExitCodes = 255;

// --- Ports

void validate_ports(const Field& ports) {
  NameTable names;
  for (const Field port : ports.items()) {
    const Field name = port["name"];
    if (!name.text().empty() && name.format(port_name_faults) && !names.add(name.text())) {
      name.duplicate();
    }
    if (port.number_at("containerPort") == 0) {
      port["containerPort"].required();
    } else {
      port["containerPort"].in_range(1, 65535);
    }
    if (port.number_at("hostPort") != 0) port["hostPort"].in_range(1, 65535);
    port["protocol"].require_one_of("SCTP,TCP,UDP");
  }
}

// `seen` holds what containers before have taken; its texts are in `texts`.
struct HostPorts {
  NameTable seen;
  json::Arena texts;
};

void validate_host_ports(const Field& container, HostPorts& taken) {
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

// --- Volumes

enum class Overlap { kName, kPath };

// Whether another list of the container, of devices or mounts, has it. Of a name that stands there
// twice the last path counts.
bool stands_in(const Field& others, std::string_view path_member, Overlap which,
               std::string_view text) {
  for (std::uint32_t i = 0; i < others.size(); ++i) {
    const Field other = others.item(i);
    if (other.text_at(which == Overlap::kName ? "name" : path_member) == text) return true;
  }
  return false;
}

void validate_propagation(const Field& mode, const Field& container) {
  if (!mode.present()) return;
  mode.one_of("Bidirectional,HostToContainer,None");
  const Field context = container["securityContext"];
  if (mode.is("Bidirectional") && !context["privileged"].flag()) {
    mode.forbidden("Bidirectional mount propagation is available only to privileged containers");
  }
}

void validate_recursive_read_only(const Field& mode, const Field& mount) {
  if (!mode.present() || mode.is("Disabled")) return;
  if (!mode.one_of("Disabled,Enabled,IfPossible")) return;
  if (!mount["readOnly"].flag()) mode.forbidden("may only be specified when readOnly is true");
  const std::string_view propagation = mount.text_at("mountPropagation");
  if (!propagation.empty() && propagation != "None") {
    mode.forbidden("may only be specified when mountPropagation is None or not specified");
  }
}

void validate_mounts(const Field& container, const NameTable& volumes) {
  const Field mounts = container["volumeMounts"];
  const Field devices = container["volumeDevices"];
  NameTable paths;
  for (const Field mount : mounts.items()) {
    const Field name = mount["name"];
    const Field path = mount["mountPath"];
    name.require();
    if (!volumes.has(name.text())) name.not_found();
    path.require();
    if (!paths.add(path.text())) path.invalid(kUnique);
    if (stands_in(devices, "devicePath", Overlap::kName, name.text())) {
      name.invalid("must not already exist in volumeDevices");
    }
    if (stands_in(devices, "devicePath", Overlap::kPath, path.text())) {
      path.invalid("must not already exist as a path in volumeDevices");
    }
    const Field below = mount["subPath"];
    const Field expression = mount["subPathExpr"];
    // These paths say nothing of which mount it is.
    if (!below.text().empty()) validate_relative_path(mounts.as("subPath", below));
    if (!expression.text().empty()) {
      if (!below.text().empty()) {
        expression.invalid("subPathExpr and subPath are mutually exclusive");
      }
      validate_relative_path(mounts.as("subPathExpr", expression));
    }
    validate_propagation(mounts.as("mountPropagation", mount["mountPropagation"]), container);
    validate_recursive_read_only(mounts.as("recursiveReadOnly", mount["recursiveReadOnly"]), mount);
  }
}

void validate_devices(const Field& container, const NameTable& volumes) {
  const Field mounts = container["volumeMounts"];
  const Field devices = container["volumeDevices"];
  NameTable names;
  NameTable paths;
  for (const Field device : devices.items()) {
    const Field name = device["name"];
    const Field path = device["devicePath"];
    name.require();
    if (!name.text().empty() && !names.add(name.text())) name.invalid(kUnique);
    if (const NameTable::Entry* volume = volumes.find(name.text())) {
      if (volume->value->find("persistentVolumeClaim") == nullptr &&
          volume->value->find("ephemeral") == nullptr) {
        name.invalid(
            "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
      }
    } else {
      name.not_found();
    }
    path.require();
    if (paths.has(path.text())) path.invalid(kUnique);
    if (has_backsteps(path.text())) {
      path.invalid("can not contain backsteps ('..')");
    } else {
      paths.add(path.text());
    }
    if (stands_in(mounts, "mountPath", Overlap::kName, name.text())) {
      name.invalid("must not already exist in volumeMounts");
    }
    if (stands_in(mounts, "mountPath", Overlap::kPath, path.text())) {
      path.invalid("must not already exist as a path in volumeMounts");
    }
  }
}

// --- Restarts

void validate_resize_policies(const Field& policies, bool never_restarts) {
  NameTable resources;
  for (const Field policy : policies.items()) {
    const Field resource = policy["resourceName"];
    const Field restart = policy["restartPolicy"];
    if (!resources.add(resource.text())) policy.duplicate_as(resource.printed());
    policies.with(resource).require_one_of("cpu,memory");
    policies.with(restart).require_one_of("NotRequired,RestartContainer");
    if (never_restarts && !restart.is("NotRequired")) {
      policies.with(restart).invalid("must be 'NotRequired' when pod `restartPolicy` is 'Never'");
    }
  }
}

void validate_restart_policy(const Field& container) {
  const Field policy = container["restartPolicy"];
  const Field rules = container["restartPolicyRules"];
  if (policy.present()) {
    policy.one_of("Always,Never,OnFailure");
  } else if (!rules.empty()) {
    policy.required("must specify restartPolicy when restart rules are used");
  }
  if (rules.size() > kMostRules) rules.too_many(kMostRules);
  for (const Field rule : rules.items()) {
    rule["action"].one_of("Restart,RestartAllContainers");
    const Field codes = rule["exitCodes"];
    if (codes.present()) {
      codes["operator"].one_of("In,NotIn");
      if (codes["values"].size() > kMostExitCodes) codes["values"].too_many(kMostExitCodes);
    } else {
      codes.required("must be specified");
    }
  }
}

// An init container without a policy has rules of its own, but says the same of them.
void validate_init_restart_policy(const Field& container) {
  if (container.has("restartPolicy")) return validate_restart_policy(container);
  if (container["restartPolicyRules"].empty()) return;
  container["restartPolicy"].required("must specify restartPolicy when restart rules are used");
}

// --- Containers of each sort

void validate_common(const Field& container, const PodScope& scope) {
  container["name"].require(dns1123_label_faults);
  container["image"].require();
  container["terminationMessagePolicy"].require_one_of("File,FallbackToLogsOnError");
  validate_ports(container["ports"]);
  validate_environment(container);
  validate_mounts(container, scope.volumes);
  validate_devices(container, scope.volumes);
  container["imagePullPolicy"].require_one_of("Always,IfNotPresent,Never");
  validate_container_resources(container["resources"], scope.claims);
  validate_resize_policies(container["resizePolicy"], scope.spec["restartPolicy"].is("Never"));
  validate_container_security(container["securityContext"], scope);
}

void validate_probes(const Field& container, const PodScope& scope) {
  const Field lifecycle = container["lifecycle"];
  if (lifecycle.present()) validate_lifecycle(lifecycle, scope);
  for (const std::string_view name : {"livenessProbe", "readinessProbe", "startupProbe"}) {
    const Field probe = container[name];
    if (!probe.present()) continue;
    validate_probe(probe, scope);
    if (name == "readinessProbe") {
      const Field grace = probe["terminationGracePeriodSeconds"];
      if (grace.present()) grace.invalid("must not be set for readinessProbes");
    } else if (probe.number_at("successThreshold") != 1) {
      const Field threshold = probe["successThreshold"];
      threshold.invalid_as(std::to_string(threshold.number()), "must be 1");
    }
  }
}

void validate_regular_containers(const PodScope& scope) {
  const Field containers = scope.spec["containers"];
  if (containers.empty()) return containers.required();
  NameTable names;
  HostPorts ports;
  for (const Field container : containers.items()) {
    validate_common(container, scope);
    const Field name = container["name"];
    if (!names.add(name.text())) name.duplicate();
    validate_probes(container, scope);
    validate_restart_policy(container);
  }
  for (const Field container : containers.items()) validate_host_ports(container, ports);
}

void add_names(const Field& containers, NameTable& names) {
  for (const Field container : containers.items()) names.add(container.text_at("name"));
}

void validate_init_containers(const PodScope& scope) {
  const Field containers = scope.spec["initContainers"];
  if (containers.empty()) return;
  NameTable names;
  add_names(scope.spec["containers"], names);
  for (const Field container : containers.items()) {
    validate_common(container, scope);
    validate_init_restart_policy(container);
    const Field name = container["name"];
    if (names.has(name.text())) {
      name.duplicate();
    } else if (!name.text().empty()) {
      names.add(name.text());
    }
    HostPorts ports;
    // Upstream looks at each alone, and then calls it the first.
    validate_host_ports(containers.item(0).with(container), ports);
    if (is_sidecar(container)) {
      validate_probes(container, scope);
      continue;
    }
    for (const std::string_view field :
         {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}) {
      if (container.has(field)) container[field].forbidden(kWithoutAlways);
    }
    const Field policies = container["resizePolicy"];
    for (const Field policy : policies.items()) {
      if (policy["restartPolicy"].is("RestartContainer")) {
        policy["restartPolicy"].invalid(
            "must not be set to 'RestartContainer' for non-sidecar initContainers");
      }
    }
  }
}

void validate_ephemeral_container(const Field& container) {
  // In the order of Go's struct; the resources of every container print, mostly empty.
  for (const std::string_view name :
       {"ports", "resources", "resizePolicy", "restartPolicy", "restartPolicyRules",
        "livenessProbe", "readinessProbe", "startupProbe", "lifecycle"}) {
    const Field field = container[name];
    if (!field.present() || (name == "resources" && field.empty())) continue;
    field.forbidden(kNotEphemeral);
  }
  const Field mounts = container["volumeMounts"];
  for (const Field mount : mounts.items()) {
    for (const std::string_view name : {"subPath", "subPathExpr"}) {
      if (!mount.text_at(name).empty()) mount[name].forbidden(kNotEphemeral);
    }
  }
}

void validate_image_for_pod(const Field& container) {
  const Field image = container["image"];
  const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  if (image.text().empty()) return;
  if (blank(image.text().front()) || blank(image.text().back())) {
    image.invalid("must not have leading or trailing whitespace");
  }
}

void validate_ephemeral_containers(const PodScope& scope) {
  const Field containers = scope.spec["ephemeralContainers"];
  if (containers.empty()) return;
  NameTable others;
  add_names(scope.spec["containers"], others);
  add_names(scope.spec["initContainers"], others);
  NameTable names = others;
  for (const Field container : containers.items()) {
    validate_common(container, scope);
    validate_image_for_pod(container);
    const Field name = container["name"];
    if (!names.add(name.text())) name.duplicate();
    const Field target = container["targetContainerName"];
    if (!target.text().empty() && !others.has(target.text())) target.not_found();
    validate_ephemeral_container(container);
  }
}

}  // namespace

bool is_sidecar(const Field& container) { return container["restartPolicy"].is("Always"); }

void validate_containers(const PodScope& scope) {
  validate_regular_containers(scope);
  validate_init_containers(scope);
  validate_ephemeral_containers(scope);
}

void validate_container_images(const Field& containers) {
  for (const Field container : containers.items()) validate_image_for_pod(container);
}

}  // namespace tabernetes::registry::validation
