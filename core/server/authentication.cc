#include "server/authentication.h"

#include "base/ascii.h"
#include "server/websocket.h"

namespace tabernetes::server {
namespace {

// The token of a header `Bearer TOKEN`; empty: none.
std::string bearer_token(const Request& request) {
  std::string_view header = find_header(request.headers, "authorization");
  while (header.starts_with(' ')) header.remove_prefix(1);
  const std::size_t space = header.find(' ');
  if (space == std::string_view::npos || !equals_ignoring_case(header.substr(0, space), "bearer")) {
    return token_of_protocol(request);
  }
  header.remove_prefix(space);
  while (header.starts_with(' ')) header.remove_prefix(1);
  return std::string(header.substr(0, header.find(' ')));
}

}  // namespace

auth::TokenAuthenticator token_authenticator(const Call& call) {
  return {call.surface.token_issuer, call.surface.token_file, call.resources, call.objects.tree(),
          call.now};
}

Result<void> authenticate(Call& call) {
  TAB_CHECK(check_token_protocol(call.request));
  const std::string token = bearer_token(call.request);
  if (token.empty()) return {};
  auth::Authenticated known =
      token_authenticator(call).authenticate(token, {std::string(auth::kIssuer)});
  if (known.user) {
    call.user = std::move(*known.user);
  } else if (!call.surface.token_file.empty()) {
    return make_unexpected(errors::unauthorized());
  }
  return {};
}

}  // namespace tabernetes::server
