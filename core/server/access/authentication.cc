#include "server/access/authentication.h"

#include "base/go/text.h"
#include "base/text/ascii.h"
#include "server/access/client_certificate.h"
#include "server/access/impersonation.h"
#include "server/http/websocket.h"

namespace tabernetes::server {
namespace {

// Returns the token of a header `Bearer TOKEN`, or an empty text.
std::string bearer_token(RequestContext& call) {
  std::string_view header = go_trim_space(find_header(call.request.headers, "authorization"));
  const std::size_t space = header.find(' ');
  if (space == std::string_view::npos || !equals_ignoring_case(header.substr(0, space), "bearer")) {
    return token_of_protocol(call.request);
  }
  header.remove_prefix(space + 1);
  if (header.starts_with(' ')) {
    call.warnings.emplace_back(
        "the provided Authorization header contains extra space before the bearer token, and is "
        "ignored");
    return token_of_protocol(call.request);
  }
  return std::string(header.substr(0, header.find(' ')));
}

// Returns whether the request needs no credentials.
bool allows_anonymous(const RequestContext& call) {
  const std::string_view target = call.request.target;
  const std::string path = percent_decode(target.substr(0, target.find('?')), PlusSign::kLiteral);
  return call.server.authentication.allows_anonymous(path, call.server.options.anonymous_auth);
}

}  // namespace

auth::TokenAuthenticator token_authenticator(const RequestContext& call) {
  const bool asks = call.server.token_webhook && call.asking != nullptr;
  return {call.server.token_issuer,
          call.server.token_file.get(),
          call.resources,
          call.objects.tree(),
          call.now,
          call.server.options.bootstrap_token_auth,
          asks ? &*call.server.token_webhook : nullptr,
          &call.server.authentication,
          call.asking};
}

Result<void> authenticate(RequestContext& call) {
  TAB_CHECK(check_token_protocol(call.request));
  if (!call.request.host_identity.empty()) {
    call.user = user_of_host(call);
    return {};
  }
  if (auto user = user_of_connection(call)) {
    call.user = std::move(*user);
    return {};
  }
  const std::string token = bearer_token(call);
  if (token.empty()) {
    if (allows_anonymous(call) && !shows_refused_certificate(call)) return {};
    return errors::unauthorized();
  }
  auth::Authenticated known =
      token_authenticator(call).authenticate(token, {std::string(auth::kIssuer)});
  call.used_secret = std::move(known.used);
  if (call.audited.notes != nullptr && !known.note.first.empty()) {
    call.audited.notes->add(std::move(known.note.first), std::move(known.note.second));
  }
  if (!known.warning.empty()) call.warnings.push_back(std::move(known.warning));
  if (known.user) {
    call.user = std::move(*known.user);
  } else if (!call.server.token_file.get().empty() || call.server.knows_other_tokens() ||
             !call.server.allows_everything() || !allows_anonymous(call)) {
    return errors::unauthorized();
  }
  return {};
}

}  // namespace tabernetes::server
