// Checks of security contexts, sysctls and Windows options. Source: upstream 1.36
// pkg/apis/core/validation/validation.go, ValidateSecurityContext, validatePodSpecSecurityContext,
// validateWindows and functions near them.
#include <algorithm>
#include <string>

#include "base/regex/pattern.h"
#include "kinds/pod_template/pod_scope.h"

namespace tabernetes::registry::kinds {
namespace {

bool is_padded(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  return !text.empty() && (blank(text.front()) || blank(text.back()));
}

bool padded(const Place& place) { return is_padded(place.now.text()); }

void not_padded(const Place& place) {
  if (padded(place)) place.now.invalid("must not have leading or trailing whitespace");
}

bool unprivileged(const Place& place) { return !place.now.allows_privileged(); }

// Reports each occurrence, as upstream does.
void admin_capability(const Place& place) {
  const Field capabilities = place.now["capabilities"];
  const Field added = capabilities["add"];
  for (const Field capability : added.items()) {
    if (!capability.is("CAP_SYS_ADMIN")) continue;
    place.now.invalid_printed(
        print_internal(place.now, "core.v1.SecurityContext"),
        "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
  }
}

// --- Windows

// Checks a Windows user name, which may have a domain before a backslash.
void user_name(const Place& place) {
  const Field& name = place.now;
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

// Returns the value for a pod or container; null if it is not set.
const json::Value* host_process(const Field& context) {
  const Field options = context["windowsOptions"];
  return options["hostProcess"].present() ? options.find("hostProcess") : nullptr;
}

// Checks that either all or no containers are host processes.
void check_host_process(const Place& place) {
  const PodScope& scope = *place.pod;
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
    scope.spec.invalid_string("",
                              "If pod contains any hostProcess containers then all containers must "
                              "be HostProcess containers");
  }
  if (!scope.spec["hostNetwork"].flag()) {
    scope.spec["hostNetwork"].invalid_printed(
        "false", "hostNetwork must be true if pod contains any hostProcess containers");
  }
  if (!scope.spec.allows_privileged()) {
    scope.spec.forbidden("hostProcess containers are disallowed by cluster policy");
  }
}

// --- Sysctls

// The kernel namespace of a sysctl.
enum class Namespace { kNone, kNetwork, kIpc };
Namespace namespace_of(std::string_view sysctl) {
  std::string name(sysctl);
  const std::size_t first = name.find_first_of("./");
  // If a slash comes first, slashes and dots are swapped.
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

bool network_sysctl(const Place& place) {
  return namespace_of(place.now.text()) == Namespace::kNetwork;
}

bool ipc_sysctl(const Place& place) { return namespace_of(place.now.text()) == Namespace::kIpc; }

}  // namespace

extern const NamedCheck kSecurityChecks[] = {
    {"not-padded", &not_padded},
    {"admin-capability", &admin_capability},
    {"user-name", &user_name},
    {"host-process", &check_host_process},
};

extern const NamedPredicate kSecurityPredicates[] = {
    {"padded", &padded},
    {"unprivileged", &unprivileged},
    {"network-sysctl", &network_sysctl},
    {"ipc-sysctl", &ipc_sysctl},
};

}  // namespace tabernetes::registry::kinds
