#include "server/access/impersonation.h"

#include <algorithm>

#include "base/algorithm/sort.h"
#include "base/api/names.h"
#include "base/go/text.h"
#include "base/text/ascii.h"
#include "server/audit/audit_trail.h"

namespace tabernetes::server {
namespace {

using auth::Attributes;
using auth::User;
using Texts = std::vector<std::string>;

constexpr std::string_view kAuthentication = "authentication.k8s.io";
constexpr std::string_view kExtraPrefix = "impersonate-extra-";
// From this many checks on, a permission for all of them is checked first.
constexpr std::size_t kMany = 4;

bool contains(const Texts& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

Texts& values_of(User& user, std::string key) {
  for (auto& [known, values] : user.extra) {
    if (known == key) return values;
  }
  return user.extra.emplace_back(std::move(key), Texts()).second;
}

// Returns the user that the headers name, unchanged.
User wanted_user(const Headers& headers) {
  User user;
  user.name = find_header(headers, "impersonate-user");
  user.uid = find_header(headers, "impersonate-uid");
  for (const auto& [name, value] : headers) {
    if (name == "impersonate-group") user.groups.push_back(value);
    if (!name.starts_with(kExtraPrefix)) continue;
    const std::string_view key = std::string_view(name).substr(kExtraPrefix.size());
    values_of(user, percent_decode(key, PlusSign::kLiteral)).push_back(value);
  }
  sort_stable(user.extra, [](const auto& a, const auto& b) { return a.first < b.first; });
  return user;
}

// Formats a slice as Go prints it.
std::string go_strings(const Texts& texts) {
  std::string text = "[]string";
  if (texts.empty()) return text + "(nil)";
  for (const std::string& one : texts) {
    text += (&one == &texts.front() ? "{" : ", ") + go_quote(one);
  }
  return text + "}";
}

Failure nameless(const User& user) {
  std::string extra = "map[string][]string";
  for (const auto& [key, values] : user.extra) {
    extra +=
        (&key == &user.extra.front().first ? "{" : ", ") + go_quote(key) + ":" + go_strings(values);
  }
  extra += user.extra.empty() ? "(nil)" : "}";
  return errors::bad_request("requested &user.DefaultInfo{Name:\"\", UID:" + go_quote(user.uid) +
                             ", Groups:" + go_strings(user.groups) + ", Extra:" + extra +
                             "} without impersonating a user name");
}

bool has_domain(std::string_view key) {
  const std::size_t slash = key.find('/');
  return slash != std::string_view::npos && slash != 0 && slash + 1 != key.size();
}

// The parts of the names of nodes and service accounts.
struct NameParts {
  std::string_view node;         // name of a node
  std::string_view ns, account;  // of a service account

  explicit NameParts(std::string_view name) {
    constexpr std::string_view kNode = "system:node:";
    constexpr std::string_view kAccount = "system:serviceaccount:";
    if (name.starts_with(kNode)) {
      node = name.substr(kNode.size());
      if (!dns1123_subdomain_faults(node).empty()) node = {};
    }
    if (!name.starts_with(kAccount)) return;
    name.remove_prefix(kAccount.size());
    const std::size_t colon = name.find(':');
    if (colon == std::string_view::npos) return;
    const std::string_view first = name.substr(0, colon);
    const std::string_view second = name.substr(colon + 1);
    if (!dns1123_label_faults(first).empty() || !dns1123_subdomain_faults(second).empty()) {
      return;
    }
    ns = first;
    account = second;
  }
};

enum class Mode { kAssociatedNode, kArbitraryNode, kServiceAccount, kUserInfo, kLegacy };
constexpr std::string_view kModeNames[] = {"associated-node", "arbitrary-node", "serviceaccount",
                                           "user-info", ""};

// One mode of impersonation, with its checks.
class Attempt {
 public:
  Attempt(const RequestContext& call, Mode mode, const User& wanted)
      : authorizer_(call.authorizer),
        asking_(call.user),
        mode_(mode),
        wanted_(wanted),
        parts_(wanted.name),
        verb_("impersonate") {
    if (constrained()) verb_.append(":").append(name());
  }

  // Returns whether the mode applies to the wanted user.
  bool fits() const {
    const bool only_name = wanted_.uid.empty() && wanted_.groups.empty() && wanted_.extra.empty();
    switch (mode_) {
      case Mode::kAssociatedNode:
        return only_name && !parts_.node.empty() && node_of_asking() == parts_.node;
      case Mode::kArbitraryNode:
        return only_name && !parts_.node.empty();
      case Mode::kServiceAccount:
        return only_name && !parts_.account.empty();
      case Mode::kUserInfo:
        return parts_.node.empty() && parts_.account.empty();
      case Mode::kLegacy:
        return true;
    }
    return false;
  }

  // Errors: 403.
  Result<void> check(Attributes request) {
    if (constrained()) {
      const std::string verb =
          "impersonate-on:" + std::string(name()) + ":" + std::string(request.verb);
      request.verb = verb;
      TAB_CHECK(auth::check_access(authorizer_, request));
    }
    TAB_CHECK(check_name());
    if (!wanted_.uid.empty()) {
      TAB_CHECK(ask({.user = asking_, .group = kAuthentication, .resource = "uids"}, wanted_.uid));
    }
    TAB_CHECK(check_groups());
    return check_extra();
  }

  // Returns the user to act as.
  User result() const {
    User user = wanted_;
    if (constrained() && !parts_.node.empty()) user.groups = {"system:nodes"};
    if (!parts_.account.empty() && user.groups.empty()) {
      user.groups = {"system:serviceaccounts", "system:serviceaccounts:" + std::string(parts_.ns)};
    }
    const bool anonymous = user.name == "system:anonymous";
    if (anonymous || !contains(user.groups, "system:unauthenticated")) {
      const std::string_view group = anonymous ? "system:unauthenticated" : "system:authenticated";
      if (!contains(user.groups, group)) user.groups.emplace_back(group);
    }
    return user;
  }

  // Returns the verb of a mode that allows only some users; empty for others.
  std::string_view constraint() const { return constrained() ? verb_ : std::string_view(); }

 private:
  std::string_view name() const { return kModeNames[static_cast<int>(mode_)]; }
  bool constrained() const { return mode_ != Mode::kLegacy; }
  // The API group of users and groups; for historical reasons the core group in legacy mode.
  std::string_view group() const { return constrained() ? kAuthentication : std::string_view(); }

  // Returns the node of the requesting service account.
  std::string_view node_of_asking() const {
    if (NameParts(asking_.name).account.empty()) return {};
    for (const auto& [key, values] : asking_.extra) {
      if (key == "authentication.kubernetes.io/node-name" && values.size() == 1) return values[0];
    }
    return {};
  }

  Result<void> ask(Attributes attributes, std::string_view name) const {
    attributes.verb = verb_;
    attributes.version = "v1";
    attributes.name = name;
    return auth::check_access(authorizer_, attributes);
  }

  Result<void> check_name() const {
    Attributes attributes{.user = asking_, .group = group(), .resource = "users"};
    std::string_view name = wanted_.name;
    if (constrained() && !parts_.node.empty()) {
      attributes.resource = "nodes";
      name = mode_ == Mode::kAssociatedNode ? "*" : parts_.node;
    }
    if (!parts_.account.empty()) {
      attributes.resource = "serviceaccounts";
      attributes.ns = parts_.ns;
      name = parts_.account;
    }
    return ask(attributes, name);
  }

  Result<void> check_groups() const {
    const Attributes attributes{.user = asking_, .group = group(), .resource = "groups"};
    const Texts& groups = wanted_.groups;
    const auto refuse = [&](std::string_view name, std::string_view why) {
      Attributes refused = attributes;
      refused.verb = verb_;
      refused.name = name;
      return auth::forbidden(refused, why);
    };
    if (constrained() && contains(groups, "")) {
      return refuse({}, "impersonating the empty string group is not allowed");
    }
    if (constrained() && contains(groups, "system:masters")) {
      return refuse("system:masters", "impersonating the system:masters group is not allowed");
    }
    if (constrained() && groups.size() >= kMany && ask(attributes, "*")) return {};
    for (const std::string& one : groups) TAB_CHECK(ask(attributes, one));
    return {};
  }

  Result<void> check_extra() const {
    Attributes attributes{.user = asking_, .group = kAuthentication, .resource = "userextras"};
    std::size_t count = 0;
    for (const auto& [key, values] : wanted_.extra) {
      count += values.size();
      if (!constrained() || has_domain(key)) continue;
      attributes.verb = verb_;
      return auth::forbidden(
          attributes,
          "impersonating an invalid key in extra is not allowed: extra.key: Invalid value: " +
              go_quote(key) + ": must be a domain-prefixed path (such as \"acme.io/foo\")");
    }
    attributes.subresource = "*";
    if (constrained() && count >= kMany && ask(attributes, "*")) return {};
    for (const auto& [key, values] : wanted_.extra) {
      attributes.subresource = key;
      for (const std::string& value : values) TAB_CHECK(ask(attributes, value));
    }
    return {};
  }

  const auth::Authorizer& authorizer_;
  const User& asking_;
  Mode mode_;
  const User& wanted_;
  NameParts parts_;
  std::string verb_;
};

}  // namespace

User user_of_host(const RequestContext& call) {
  const User wanted = wanted_user(call.request.host_identity);
  return Attempt(call, Mode::kLegacy, wanted).result();
}

Result<void> impersonate(RequestContext& call, const RequestAttributes& request) {
  const User wanted = wanted_user(call.request.headers);
  if (wanted.name.empty()) {
    if (wanted.uid.empty() && wanted.groups.empty() && wanted.extra.empty()) return {};
    return nameless(wanted);
  }
  const bool only_legacy = !call.server.gates.enabled("ConstrainedImpersonation");
  Result<void> refused;
  for (const Mode mode : {Mode::kAssociatedNode, Mode::kArbitraryNode, Mode::kServiceAccount,
                          Mode::kUserInfo, Mode::kLegacy}) {
    Attempt attempt(call, mode, wanted);
    if (!attempt.fits() || (only_legacy && mode != Mode::kLegacy)) continue;
    Result<void> allowed = attempt.check(request.of(call));
    if (allowed) {
      call.user = attempt.result();
      if (call.audited.trail != nullptr) {
        call.audited.trail->impersonate(call.user, attempt.constraint());
      }
      return {};
    }
    if (refused) refused = std::move(allowed);
  }
  return refused;
}

}  // namespace tabernetes::server
