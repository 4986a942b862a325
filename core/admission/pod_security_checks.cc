#include "admission/pod_security_checks.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/go/text.h"
#include "base/text/parts.h"
#include "json/access.h"
#include "rules/field.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using registry::validation::listed;
using Names = std::vector<std::string>;

struct Pod {
  const Value& object;
  const Value& spec;
  std::vector<const Value*> containers;  // init containers first
  int minor;
  bool windows, own_users;  // own_users: in a user namespace
};

// The result of a failed check; empty if it passed.
struct Finding {
  std::string_view reason = {};
  std::string detail = {};
};

// --- Texts

void insert(Names& sorted, std::string_view name) {
  const auto place = std::lower_bound(sorted.begin(), sorted.end(), name);
  if (place == sorted.end() || *place != name) sorted.insert(place, std::string(name));
}

std::string quoted(const Names& names) {
  return names.empty() ? std::string() : "\"" + join(names, "\", \"") + "\"";
}

std::string plural(std::string_view word, std::size_t count) {
  return std::string(word) + (count == 1 ? "" : "s");
}

// Returns `containers "a", "b"`.
std::string counted(std::string_view word, const Names& names) {
  return plural(word, names.size()) + " " + quoted(names);
}
std::string of_containers(const Names& names) { return counted("container", names); }

// Returns `pod and container "a"`.
std::string setters(bool pod, const Names& containers) {
  std::string text = pod ? "pod" : "";
  if (!containers.empty()) text += (pod ? " and " : "") + of_containers(containers);
  return text;
}

// --- Reading

// Returns a field of the security context of a pod's spec or a container, or null.
const Value* security(const Value& holder, std::string_view field) {
  return holder.at({"securityContext", field});
}

bool is_false(const Value* value) {
  return value != nullptr && value->is_bool() && !value->as_bool();
}

// Returns the names of the containers for which `predicate` holds.
template <typename Predicate>
Names containers_where(const Pod& pod, const Predicate& predicate) {
  Names names;
  for (const Value* container : pod.containers) {
    if (predicate(*container)) names.emplace_back(container->string_at("name"));
  }
  return names;
}

// --- Baseline

// The profiles set by the pod and its containers, by type.
struct Profiles {
  bool bad_pod = false, set_by_pod = false;
  Names bad, unset, values;
};

Profiles profiles(const Pod& pod, std::string_view field) {
  Profiles found;
  const auto is_bad = [&](const Value& profile) {
    const std::string_view type = profile.string_at("type");
    if (type == "RuntimeDefault" || type == "Localhost") return false;
    insert(found.values, type);
    return true;
  };
  if (const Value* own = security(pod.spec, field)) {
    found.bad_pod = is_bad(*own);
    found.set_by_pod = !found.bad_pod;
  }
  for (const Value* container : pod.containers) {
    const Value* own = security(*container, field);
    const std::string name(container->string_at("name"));
    if (own == nullptr) found.unset.push_back(name);
    if (own != nullptr && is_bad(*own)) found.bad.push_back(name);
  }
  return found;
}

Finding app_armor(const Pod& pod) {
  constexpr std::string_view kPrefix = "container.apparmor.security.beta.kubernetes.io/";
  const Profiles found = profiles(pod, "appArmorProfile");
  Names annotations;
  for (const json::Member& member : members_at(pod.object, {"metadata", "annotations"})) {
    const std::string_view value = member.value.as_string();
    if (!member.key.starts_with(kPrefix) || value.empty() || value == "runtime/default" ||
        value.starts_with("localhost/")) {
      continue;
    }
    insert(annotations, std::string(member.key) + "=" + go_quote(value));
  }
  std::string who = setters(found.bad_pod, found.bad);
  if (!annotations.empty()) {
    who += (who.empty() ? "" : " and ") + plural("annotation", annotations.size());
  }
  if (who.empty()) return {};
  Names values = found.values;
  values.insert(values.end(), annotations.begin(), annotations.end());
  return {values.size() == 1 ? "forbidden AppArmor profile" : "forbidden AppArmor profiles",
          who + " must not set AppArmor profile type to " + quoted(values)};
}

// Returns the containers that add capabilities other than `allowed`.
Names adding(const Pod& pod, std::string_view allowed, Names& capabilities) {
  return containers_where(pod, [&](const Value& container) {
    bool bad = false;
    for (const Value& added : items_at(container, {"securityContext", "capabilities", "add"})) {
      if (listed(allowed, added.as_string())) continue;
      bad = true;
      insert(capabilities, added.as_string());
    }
    return bad;
  });
}

std::string must_not_include(const Names& containers, const Names& capabilities) {
  return of_containers(containers) + " must not include " + quoted(capabilities) +
         " in securityContext.capabilities.add";
}

Finding capabilities(const Pod& pod) {
  Names others;
  const Names bad = adding(pod,
                           "AUDIT_WRITE,CHOWN,DAC_OVERRIDE,FOWNER,FSETID,KILL,MKNOD,"
                           "NET_BIND_SERVICE,SETFCAP,SETGID,SETPCAP,SETUID,SYS_CHROOT",
                           others);
  if (bad.empty()) return {};
  return {"non-default capabilities", must_not_include(bad, others)};
}

Finding host_namespaces(const Pod& pod) {
  Names shared;
  for (const std::string_view field : {"hostNetwork", "hostPID", "hostIPC"}) {
    if (bool_at(pod.spec, {field})) shared.push_back(std::string(field) + "=true");
  }
  if (shared.empty()) return {};
  return {"host namespaces", join(shared, ", ")};
}

Finding host_path(const Pod& pod) {
  Names bad;
  for (const Value& volume : items_in(pod.spec, "volumes")) {
    if (volume.find("hostPath") != nullptr) bad.emplace_back(volume.string_at("name"));
  }
  if (bad.empty()) return {};
  return {"hostPath volumes", counted("volume", bad)};
}

// Returns `container "a" uses hostPort 80`.
std::string uses(const Names& containers, std::string_view what, const Names& used,
                 const std::string& shown) {
  return of_containers(containers) + (containers.size() == 1 ? " uses " : " use ") +
         plural(what, used.size()) + " " + shown;
}

Finding host_ports(const Pod& pod) {
  Names ports;
  const Names bad = containers_where(pod, [&](const Value& container) {
    bool used = false;
    for (const Value& port : items_in(container, "ports")) {
      const Value* host = port.find("hostPort");
      if (host == nullptr || host->as_int() == 0) continue;
      used = true;
      insert(ports, std::to_string(host->as_int()));
    }
    return used;
  });
  if (bad.empty()) return {};
  return {"hostPort", uses(bad, "hostPort", ports, join(ports, ", "))};
}

Finding probe_hosts(const Pod& pod) {
  Names hosts, bad;
  for (const Value* container : pod.containers) {
    const Value* handlers[] = {container->find("livenessProbe"), container->find("readinessProbe"),
                               container->find("startupProbe"),
                               container->at({"lifecycle", "postStart"}),
                               container->at({"lifecycle", "preStop"})};
    for (const Value* handler : handlers) {
      for (const std::string_view way : {"httpGet", "tcpSocket"}) {
        const Value* action = handler == nullptr ? nullptr : handler->find(way);
        if (action == nullptr || action->string_at("host").empty()) continue;
        insert(hosts, action->string_at("host"));
        insert(bad, container->string_at("name"));
      }
    }
  }
  if (bad.empty()) return {};
  return {"probe or lifecycle host", uses(bad, "probe or lifecycle host", hosts, quoted(hosts))};
}

Finding privileged(const Pod& pod) {
  const Names bad = containers_where(pod, [](const Value& container) {
    return bool_at(container, {"securityContext", "privileged"});
  });
  if (bad.empty()) return {};
  return {"privileged", of_containers(bad) + " must not set securityContext.privileged=true"};
}

Finding proc_mount(const Pod& pod) {
  Names types;
  const Names bad = containers_where(pod, [&](const Value& container) {
    const Value* type = security(container, "procMount");
    if (type == nullptr || type->as_string() == "Default") return false;
    insert(types, type->as_string());
    return true;
  });
  if (bad.empty()) return {};
  return {"procMount",
          of_containers(bad) + " must not set securityContext.procMount to " + quoted(types)};
}

Finding proc_mount_of_users(const Pod& pod) {
  if (pod.minor >= 35 && pod.own_users) return {};
  return proc_mount(pod);
}

Finding se_linux(const Pod& pod) {
  Names types;
  bool user = false;
  bool role = false;
  const auto is_bad = [&](const Value* options) {
    if (options == nullptr) return false;
    const std::string_view type = options->string_at("type");
    const bool known = type.empty() ||
                       listed("container_t,container_init_t,container_kvm_t", type) ||
                       (pod.minor >= 31 && type == "container_engine_t");
    if (!known) insert(types, type);
    const bool has_user = !options->string_at("user").empty();
    const bool has_role = !options->string_at("role").empty();
    user = user || has_user;
    role = role || has_role;
    return !known || has_user || has_role;
  };
  const bool bad_pod = is_bad(security(pod.spec, "seLinuxOptions"));
  const Names bad = containers_where(
      pod, [&](const Value& container) { return is_bad(security(container, "seLinuxOptions")); });
  if (!bad_pod && bad.empty()) return {};
  Names faults;
  if (!types.empty()) faults.push_back(counted("type", types));
  if (user) faults.emplace_back("user may not be set");
  if (role) faults.emplace_back("role may not be set");
  return {"seLinuxOptions",
          setters(bad_pod, bad) +
              " set forbidden securityContext.seLinuxOptions: " + join(faults, "; ")};
}

// Checks the annotations that preceded the field.
Finding seccomp_annotations(const Pod& pod) {
  Names keys = {"seccomp.security.alpha.kubernetes.io/pod"};
  for (const Value* container : pod.containers) {
    keys.push_back("container.seccomp.security.alpha.kubernetes.io/" +
                   std::string(container->string_at("name")));
  }
  Names bad;
  for (const std::string& key : keys) {
    const Value* value = pod.object.at({"metadata", "annotations", key});
    if (value == nullptr) continue;
    const std::string_view text = value->as_string();
    if (text == "runtime/default" || text == "docker/default" || text.starts_with("localhost/")) {
      continue;
    }
    insert(bad, key + "=" + go_quote(text));
  }
  if (bad.empty()) return {};
  return {"seccompProfile",
          "forbidden " + plural("annotation", bad.size()) + " " + join(bad, ", ")};
}

Finding bad_seccomp(const Profiles& found) {
  return {"seccompProfile", setters(found.bad_pod, found.bad) +
                                " must not set securityContext.seccompProfile.type to " +
                                quoted(found.values)};
}

Finding seccomp(const Pod& pod) {
  if (pod.minor < 19) return seccomp_annotations(pod);
  const Profiles found = profiles(pod, "seccompProfile");
  if (!found.bad_pod && found.bad.empty()) return {};
  return bad_seccomp(found);
}

bool is_safe_sysctl(std::string_view name, int minor) {
  if (listed("kernel.shm_rmid_forced,net.ipv4.ip_local_port_range,net.ipv4.tcp_syncookies,"
             "net.ipv4.ping_group_range,net.ipv4.ip_unprivileged_port_start",
             name)) {
    return true;
  }
  if (minor >= 27 && name == "net.ipv4.ip_local_reserved_ports") return true;
  if (minor >= 29 && listed("net.ipv4.tcp_keepalive_time,net.ipv4.tcp_fin_timeout,"
                            "net.ipv4.tcp_keepalive_intvl,net.ipv4.tcp_keepalive_probes",
                            name)) {
    return true;
  }
  return minor >= 32 && listed("net.ipv4.tcp_rmem,net.ipv4.tcp_wmem", name);
}

Finding sysctls(const Pod& pod) {
  Names bad;
  for (const Value& sysctl : items_at(pod.spec, {"securityContext", "sysctls"})) {
    const std::string_view name = sysctl.string_at("name");
    if (!is_safe_sysctl(name, pod.minor)) bad.emplace_back(name);
  }
  if (bad.empty()) return {};
  return {"forbidden sysctls", join(bad, ", ")};
}

Finding host_process(const Pod& pod) {
  const auto is_host = [](const Value& holder) {
    return bool_at(holder, {"securityContext", "windowsOptions", "hostProcess"});
  };
  const bool bad_pod = is_host(pod.spec);
  const Names bad = containers_where(pod, is_host);
  if (!bad_pod && bad.empty()) return {};
  return {"hostProcess",
          setters(bad_pod, bad) + " must not set securityContext.windowsOptions.hostProcess=true"};
}

// --- Restricted

Finding privilege_escalation(const Pod& pod) {
  if (pod.minor >= 25 && pod.windows) return {};
  const Names bad = containers_where(pod, [](const Value& container) {
    return !is_false(security(container, "allowPrivilegeEscalation"));
  });
  if (bad.empty()) return {};
  return {"allowPrivilegeEscalation != false",
          of_containers(bad) + " must set securityContext.allowPrivilegeEscalation=false"};
}

Finding dropped_capabilities(const Pod& pod) {
  if (pod.minor >= 25 && pod.windows) return {};
  const Names keeping = containers_where(pod, [](const Value& container) {
    for (const Value& dropped : items_at(container, {"securityContext", "capabilities", "drop"})) {
      if (dropped.as_string() == "ALL") return false;
    }
    return true;
  });
  Names added, faults;
  const Names bad = adding(pod, "NET_BIND_SERVICE", added);
  if (!keeping.empty()) {
    faults.push_back(of_containers(keeping) +
                     " must set securityContext.capabilities.drop=[\"ALL\"]");
  }
  if (!bad.empty()) faults.push_back(must_not_include(bad, added));
  if (faults.empty()) return {};
  return {"unrestricted capabilities", join(faults, "; ")};
}

Finding volumes(const Pod& pod) {
  Names bad, types;
  for (const Value& volume : items_in(pod.spec, "volumes")) {
    std::string_view type = "unknown";
    for (const json::Member& member : volume.members()) {
      if (member.key != "name") type = member.key;
    }
    if (listed("configMap,csi,downwardAPI,emptyDir,ephemeral,image,persistentVolumeClaim,projected,"
               "secret",
               type)) {
      continue;
    }
    bad.emplace_back(volume.string_at("name"));
    insert(types, type);
  }
  if (bad.empty()) return {};
  return {"restricted volume types", counted("volume", bad) +
                                         (bad.size() == 1 ? " uses " : " use ") +
                                         counted("restricted volume type", types)};
}

Finding non_root(const Pod& pod) {
  constexpr std::string_view kField = "runAsNonRoot";
  constexpr std::string_view kReason = "runAsNonRoot != true";
  if (pod.minor >= 35 && pod.own_users) return {};
  const bool bad_pod = is_false(security(pod.spec, kField));
  const bool set_by_pod = bool_at(pod.spec, {"securityContext", kField});
  const Names bad = containers_where(
      pod, [&](const Value& container) { return is_false(security(container, kField)); });
  if (bad_pod || !bad.empty()) {
    return {kReason, setters(bad_pod, bad) + " must not set securityContext.runAsNonRoot=false"};
  }
  const Names unset = containers_where(pod, [&](const Value& container) {
    return !set_by_pod && security(container, kField) == nullptr;
  });
  if (unset.empty()) return {};
  return {kReason,
          "pod or " + of_containers(unset) + " must set securityContext.runAsNonRoot=true"};
}

Finding root_user(const Pod& pod) {
  if (pod.minor >= 35 && pod.own_users) return {};
  const auto is_root = [](const Value& holder) {
    const Value* user = security(holder, "runAsUser");
    return user != nullptr && user->is_int() && user->as_int() == 0;
  };
  const bool bad_pod = is_root(pod.spec);
  const Names bad = containers_where(pod, is_root);
  if (!bad_pod && bad.empty()) return {};
  return {"runAsUser=0", setters(bad_pod, bad) + " must not set runAsUser=0"};
}

Finding set_seccomp(const Pod& pod) {
  if (pod.minor >= 25 && pod.windows) return {};
  const Profiles found = profiles(pod, "seccompProfile");
  if (found.bad_pod || !found.bad.empty()) return bad_seccomp(found);
  if (found.set_by_pod || found.unset.empty()) return {};
  return {"seccompProfile", "pod or " + of_containers(found.unset) +
                                " must set securityContext.seccompProfile.type to "
                                "\"RuntimeDefault\" or \"Localhost\""};
}

struct Check {
  Finding (*find)(const Pod&);
  Level level;
  int since = 0;              // the first minor version with the check
  int overridden_since = 99;  // for a baseline check: since when a restricted one replaces it
};

// In the order in which they are reported.
constexpr Check kChecks[] = {
    {&app_armor, Level::kBaseline},
    {&capabilities, Level::kBaseline, 0, 22},
    {&host_namespaces, Level::kBaseline},
    {&host_path, Level::kBaseline, 0, 0},
    {&host_ports, Level::kBaseline},
    {&probe_hosts, Level::kBaseline, 34},
    {&privileged, Level::kBaseline},
    {&proc_mount_of_users, Level::kBaseline, 0, 35},
    {&se_linux, Level::kBaseline},
    {&seccomp, Level::kBaseline, 0, 19},
    {&sysctls, Level::kBaseline},
    {&host_process, Level::kBaseline},
    {&privilege_escalation, Level::kRestricted, 8},
    {&dropped_capabilities, Level::kRestricted, 22},
    {&proc_mount, Level::kRestricted, 35},
    {&volumes, Level::kRestricted},
    {&non_root, Level::kRestricted},
    {&root_user, Level::kRestricted, 23},
    {&set_seccomp, Level::kRestricted, 19},
};

}  // namespace

PodSecurityResult check_pod(Level level, int minor, const Value& object) {
  PodSecurityResult findings;
  const Value* spec = object.find("spec");
  if (level == Level::kPrivileged || spec == nullptr) return findings;
  Pod pod{object,
          *spec,
          {},
          std::min(minor, kLatestMinor),
          text_at(*spec, {"os", "name"}) == "windows",
          is_false(spec->find("hostUsers"))};
  for (const std::string_view list : {"initContainers", "containers", "ephemeralContainers"}) {
    for (const Value& container : items_in(*spec, list)) pod.containers.push_back(&container);
  }
  for (const Check& check : kChecks) {
    if (check.level > level || pod.minor < check.since) continue;
    if (level == Level::kRestricted && pod.minor >= check.overridden_since) continue;
    const Finding finding = check.find(pod);
    if (finding.reason.empty()) continue;
    const std::string_view between = findings.reasons.empty() ? "" : ", ";
    findings.reasons += between;
    findings.reasons += finding.reason;
    findings.details += between;
    findings.details += finding.reason;
    findings.details += " (" + finding.detail + ")";
  }
  return findings;
}

}  // namespace tabernetes::admission
