#include "server/access/client_certificate.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/query.h"

namespace tabernetes::server {
namespace {

using Trust = ClientCertificate::Trust;

constexpr std::string_view kCredentialId = "authentication.kubernetes.io/credential-id";

// Returns the first value that is not empty of the first header that has one.
std::string first_of(const Headers& headers, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const std::string_view value = find_header(headers, name);
    if (!value.empty()) return std::string(value);
  }
  return {};
}

std::vector<std::string> all_of(const Headers& headers, const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& wanted : names) {
    for (const auto& [name, value] : headers) {
      if (name == wanted && !value.empty()) all.push_back(value);
    }
  }
  return all;
}

void add_extra(auth::User& user, const std::string& key, const std::string& value) {
  auto at =
      std::lower_bound(user.extra.begin(), user.extra.end(), key,
                       [](const auto& one, const std::string& name) { return one.first < name; });
  if (at == user.extra.end() || at->first != key) at = user.extra.insert(at, {key, {}});
  at->second.push_back(value);
}

std::optional<auth::User> named_by_proxy(const RequestContext& call) {
  const RequestHeaders& names = call.server.options.request_headers;
  const Headers& headers = call.request.headers;
  auth::User user{.name = first_of(headers, names.usernames),
                  .uid = first_of(headers, names.uids),
                  .groups = all_of(headers, names.groups),
                  .extra = {}};
  if (user.name.empty()) return std::nullopt;
  for (const std::string& prefix : names.extra_prefixes) {
    for (const auto& [name, value] : headers) {
      if (!name.starts_with(prefix)) continue;
      add_extra(user, percent_decode(name.substr(prefix.size()), PlusSign::kLiteral), value);
    }
  }
  return user;
}

bool reads_uids(const RequestContext& call) {
  return call.server.gates.enabled("AllowParsingUserUIDFromCertAuth");
}

// A certificate has one uid, or none. Source: upstream 1.36 apiserver
// pkg/authentication/request/x509/x509.go (parseUIDFromCert).
bool has_bad_uid(const RequestContext& call, const ClientCertificate& shown) {
  if (!reads_uids(call) || shown.uids.empty()) return false;
  return shown.uids.size() > 1 || shown.uids.front().empty();
}

}  // namespace

std::optional<auth::User> user_of_connection(const RequestContext& call) {
  const ClientCertificate* shown = call.request.peer.certificate.get();
  if (shown == nullptr) return std::nullopt;
  std::optional<auth::User> user;
  if (shown->as_proxy == Trust::kTrusted) user = named_by_proxy(call);
  if (!user && shown->as_user == Trust::kTrusted && !shown->common_name.empty() &&
      !has_bad_uid(call, *shown)) {
    const bool named = reads_uids(call) && !shown->uids.empty();
    user =
        auth::User{.name = shown->common_name,
                   .uid = named ? shown->uids.front() : std::string(),
                   .groups = shown->organizations,
                   .extra = {{std::string(kCredentialId), {"X509SHA256=" + shown->fingerprint}}}};
  }
  if (!user) return std::nullopt;
  const bool anonymous =
      user->name == "system:anonymous" || std::find(user->groups.begin(), user->groups.end(),
                                                    "system:unauthenticated") != user->groups.end();
  const bool known = std::find(user->groups.begin(), user->groups.end(), "system:authenticated") !=
                     user->groups.end();
  if (!anonymous && !known) user->groups.emplace_back("system:authenticated");
  return user;
}

bool shows_refused_certificate(const RequestContext& call) {
  const ClientCertificate* shown = call.request.peer.certificate.get();
  if (shown == nullptr) return false;
  return shown->as_user == Trust::kRefused || shown->as_proxy == Trust::kRefused ||
         (shown->as_user == Trust::kTrusted && has_bad_uid(call, *shown));
}

}  // namespace tabernetes::server
