// Under which identity and with which powers a pod runs, and what each operating system knows.
// Source: upstream 1.36 pkg/apis/core/validation/validation.go, ValidateSecurityContext,
// validatePodSpecSecurityContext, validateWindows and their neighbours.

#include <algorithm>
#include <string>

#include "base/pattern.h"
#include "registry/validation/pod_parts.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::int64_t kMaxId = 2147483647;
constexpr std::size_t kMaxSysctl = 253;
constexpr std::size_t kMaxProfilePath = 4095;
constexpr std::string_view kProfileTypes = "Localhost,RuntimeDefault,Unconfined";
constexpr std::string_view kNotOnWindows = "cannot be set for a windows pod";

void validate_id(const Field& id) {
  if (id.present()) id.in_range(0, kMaxId);
}

void validate_seccomp(const Field& profile) {
  if (!profile.present()) return;
  const Field type = profile["type"];
  if (type.require("type is required when seccompProfile is set")) type.one_of(kProfileTypes);
  const Field path = profile["localhostProfile"];
  if (type.is("Localhost")) {
    if (path.present()) return validate_relative_path(path);
    path.required("must be set when seccomp type is Localhost");
  } else if (path.present()) {
    path.invalid_as(printed_struct(profile, "core.v1.SeccompProfile"),
                    "can only be set when seccomp type is Localhost");
  }
}

bool is_padded(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  return !text.empty() && (blank(text.front()) || blank(text.back()));
}

void validate_app_armor(const Field& profile) {
  constexpr std::string_view kMissing = "must be set when AppArmor type is Localhost";
  if (!profile.present()) return;
  const Field type = profile["type"];
  const Field path = profile["localhostProfile"];
  if (type.is("Localhost")) {
    if (is_padded(path.text())) {
      path.invalid("must not be padded with whitespace");
    } else {
      path.require(kMissing);
    }
    if (path.text().size() > kMaxProfilePath) path.too_long(kMaxProfilePath);
  } else if (type.require("type is required when appArmorProfile is set") &&
             type.one_of(kProfileTypes) && path.present()) {
    path.invalid("can only be set when AppArmor type is Localhost");
  }
}

// --- Windows

// A user of Windows, perhaps with a domain before a backslash.
void validate_user_name(const Field& name) {
  if (!name.present()) return;
  const std::string_view text = name.text();
  const auto refuse = [&](std::string_view why) {
    name.invalid("runAsUserName" + std::string(why));
  };
  if (text.empty()) return refuse(" cannot be an empty string");
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) {
      return refuse(" cannot contain control characters");
    }
  }
  const std::size_t slash = text.find('\\');
  if (slash != text.rfind('\\')) return refuse(" cannot contain more than one backslash");
  if (slash != std::string_view::npos) {
    const std::string_view domain = text.substr(0, slash);
    if (domain.size() >= 256) refuse("'s Domain length must be under 256 characters");
    const bool net_bios = !domain.empty() && domain[0] != '.' && domain.size() <= 15 &&
                          domain.find_first_of("\\/:*?\"<>|") == std::string_view::npos;
    if (!net_bios && !Pattern::compile("^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
                                       "(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$")
                          ->matches(domain)) {
      refuse("'s Domain doesn't match the NetBios nor the DNS format");
    }
  }
  const std::string_view user = slash == std::string_view::npos ? text : text.substr(slash + 1);
  if (user.empty()) {
    refuse("'s User cannot be empty");
  } else if (user.size() > 104) {
    refuse("'s User length must not be longer than 104 characters");
  }
  if (!user.empty() && user.find_first_not_of(". ") == std::string_view::npos) {
    refuse("'s User cannot contain only periods or spaces");
  }
  if (user.find_first_of("\"/\\:;|=,+*?<>@[]") != std::string_view::npos) {
    refuse("'s User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
  }
}

void validate_windows_options(const Field& options) {
  if (!options.present()) return;
  const Field name = options["gmsaCredentialSpecName"];
  const Field spec = options["gmsaCredentialSpec"];
  if (name.present()) name.format(dns1123_subdomain_faults);
  if (spec.present()) {
    if (spec.text().empty()) {
      spec.invalid("gmsaCredentialSpec cannot be an empty string");
    } else if (spec.text().size() > 64 * 1024) {
      spec.invalid("gmsaCredentialSpec size must be under 64 KiB");
    }
  }
  validate_user_name(options["runAsUserName"]);
}

// Of a pod or container: null where nothing says it.
const json::Value* host_process(const Field& context) {
  const Field options = context["windowsOptions"];
  return options["hostProcess"].present() ? options.find("hostProcess") : nullptr;
}

}  // namespace

// Containers that are processes of the host are so together.
void validate_host_process_pod(const PodScope& scope) {
  const json::Value* pod = host_process(scope.spec["securityContext"]);
  int all = 0;
  int on_host = 0;
  each_container(scope.spec, [&](const Field& container) {
    ++all;
    const Field context = container["securityContext"];
    const json::Value* own = host_process(context);
    if (pod != nullptr && own != nullptr && pod->as_bool() != own->as_bool()) {
      const Field options = context["windowsOptions"];
      options["hostProcess"].invalid(
          std::string("pod hostProcess value must be identical if both are specified, was ") +
          (pod->as_bool() ? "true" : "false"));
    }
    if (own != nullptr ? own->as_bool() : pod != nullptr && pod->as_bool()) ++on_host;
  });
  if (on_host == 0) return;
  if (on_host != all) {
    scope.spec.invalid_text("",
                            "If pod contains any hostProcess containers then all containers must "
                            "be HostProcess containers");
  }
  if (!scope.host_network()) {
    scope.spec["hostNetwork"].invalid_as(
        "false", "hostNetwork must be true if pod contains any hostProcess containers");
  }
  if (!scope.spec.allows_privileged()) {
    scope.spec.forbidden("hostProcess containers are disallowed by cluster policy");
  }
}

namespace {

void forbid(const Field& place, std::string_view names, std::string_view why) {
  while (!names.empty()) {
    const std::size_t comma = names.find(',');
    const Field field = place[names.substr(0, comma)];
    // What Go has as a plain bool counts only when it is true.
    const bool plain = field.name() == "hostPID" || field.name() == "hostIPC";
    if (plain ? field.flag() : field.present()) field.forbidden(why);
    names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 1);
  }
}

void validate_windows(const PodScope& scope) {
  const Field context = scope.spec["securityContext"];
  forbid(context, "appArmorProfile,seLinuxOptions", kNotOnWindows);
  forbid(scope.spec, "hostUsers,hostPID,hostIPC", kNotOnWindows);
  forbid(context, "seccompProfile,fsGroup,fsGroupChangePolicy,sysctls", kNotOnWindows);
  forbid(scope.spec, "shareProcessNamespace", kNotOnWindows);
  forbid(context,
         "runAsUser,runAsGroup,supplementalGroups,supplementalGroupsPolicy,seLinuxChangePolicy",
         kNotOnWindows);
  each_container(scope.spec, [](const Field& container) {
    forbid(container["securityContext"],
           "appArmorProfile,seLinuxOptions,seccompProfile,capabilities,readOnlyRootFilesystem,"
           "privileged,allowPrivilegeEscalation,procMount,runAsUser,runAsGroup",
           kNotOnWindows);
  });
}

void validate_linux(const PodScope& scope) {
  constexpr std::string_view kWhy = "windows options cannot be set for a linux pod";
  forbid(scope.spec["securityContext"], "windowsOptions", kWhy);
  each_container(scope.spec, [&](const Field& container) {
    forbid(container["securityContext"], "windowsOptions", kWhy);
  });
}

// --- Sysctls

bool is_sysctl_name(std::string_view name) {
  if (name.empty() || name.size() > kMaxSysctl) return false;
  const auto alphanumeric = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  bool begins = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool ends = i + 1 == name.size() || name[i + 1] == '.' || name[i + 1] == '/';
    if (c == '.' || c == '/') {
      if (begins || i + 1 == name.size()) return false;
      begins = true;
      continue;
    }
    if (!alphanumeric(c) && ((c != '-' && c != '_') || begins || ends)) return false;
    begins = false;
  }
  return true;
}

enum class Namespace { kNone, kNetwork, kIpc };

// Which namespace of the kernel holds a sysctl.
Namespace namespace_of(std::string_view sysctl) {
  std::string name(sysctl);
  const std::size_t first = name.find_first_of("./");
  // With a slash first, the two change places.
  if (first != std::string::npos && name[first] == '/') {
    for (char& c : name) c = c == '/' ? '.' : c == '.' ? '/' : c;
  }
  name.resize(std::min(name.size(), name.find('*')));
  constexpr std::string_view kOfIpc =
      "kernel.sem,kernel.shmall,kernel.shmmax,kernel.shmmni,kernel.shm_rmid_forced,kernel.shm,"
      "kernel.msgmax,kernel.msgmnb,kernel.msgmni,kernel.msg";
  if (listed(kOfIpc, name) || name.starts_with("fs.mqueue.")) return Namespace::kIpc;
  return name.starts_with("net.") ? Namespace::kNetwork : Namespace::kNone;
}

void validate_sysctls(const PodScope& scope, const Field& sysctls) {
  NameTable names;
  for (const Field sysctl : sysctls.items()) {
    const Field name = sysctl["name"];
    if (name.require()) {
      if (!is_sysctl_name(name.text())) {
        name.invalid(
            "must have at most 253 characters and match regex "
            "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$");
      } else if (names.has(name.text())) {
        name.duplicate();
      }
    }
    names.add(name.text());
    const Namespace space = namespace_of(name.text());
    if (space == Namespace::kNetwork && scope.host_network()) {
      name.invalid("may not be specified when 'hostNetwork' is true");
    } else if (space == Namespace::kIpc && scope.spec["hostIPC"].flag()) {
      name.invalid("may not be specified when 'hostIPC' is true");
    }
  }
}

}  // namespace

void validate_pod_security(const PodScope& scope) {
  const Field context = scope.spec["securityContext"];
  if (!context.present()) return;
  for (const std::string_view id : {"fsGroup", "runAsUser", "runAsGroup"}) validate_id(context[id]);
  const Field groups = context["supplementalGroups"];
  for (const Field group : groups.items()) validate_id(group);
  const Field shared = context.as("shareProcessNamespace", scope.spec["shareProcessNamespace"]);
  if (shared.flag() && scope.spec["hostPID"].flag()) {
    shared.invalid("ShareProcessNamespace and HostPID cannot both be enabled");
  }
  validate_sysctls(scope, context["sysctls"]);
  context["fsGroupChangePolicy"].one_of_or_absent("Always,OnRootMismatch");
  validate_seccomp(context["seccompProfile"]);
  validate_windows_options(context["windowsOptions"]);
  validate_app_armor(context["appArmorProfile"]);
  context["supplementalGroupsPolicy"].one_of_or_absent("Merge,Strict");
  context["seLinuxChangePolicy"].one_of_or_absent("MountOption,Recursive");
}

void validate_container_security(const Field& context, const PodScope& scope) {
  if (!context.present()) return;
  const Field privileged = context["privileged"];
  if (privileged.flag() && !context.allows_privileged()) {
    privileged.forbidden("disallowed by cluster policy");
  }
  validate_id(context["runAsUser"]);
  validate_id(context["runAsGroup"]);
  const Field mount = context["procMount"];
  mount.one_of_or_absent("Default,Unmasked");
  if (mount.is("Unmasked") && scope.host_users()) {
    mount.invalid("`hostUsers` must be false to use `Unmasked`");
  }
  validate_seccomp(context["seccompProfile"]);
  const Field escalation = context["allowPrivilegeEscalation"];
  if (escalation.present() && !escalation.flag()) {
    const auto refuse = [&](std::string_view what) {
      context.invalid_as(printed_struct(context, "core.v1.SecurityContext"),
                         "cannot set `allowPrivilegeEscalation` to false and " + std::string(what));
    };
    if (privileged.flag()) refuse("`privileged` to true");
    const Field capabilities = context["capabilities"];
    const Field added = capabilities["add"];
    for (const Field capability : added.items()) {
      if (capability.is("CAP_SYS_ADMIN")) refuse("`capabilities.Add` CAP_SYS_ADMIN");
    }
  }
  validate_windows_options(context["windowsOptions"]);
  validate_app_armor(context["appArmorProfile"]);
}

void validate_os(const PodScope& scope) {
  const Field os = scope.spec["os"];
  if (!os.present()) return;
  const Field name = os["name"];
  if (!name.require()) return;
  if (name.is("windows")) {
    validate_windows(scope);
  } else if (name.is("linux")) {
    validate_linux(scope);
  } else {
    os.with(name).not_supported("linux,windows");
  }
}

}  // namespace tabernetes::registry::validation
