#include "server/discovery/openid_endpoints.h"

#include <utility>

namespace tabernetes::server {

TextResponse openid_configuration(std::string_view server_address) {
  std::string body = R"({"issuer":"https://kubernetes.default.svc","jwks_uri":"https://)";
  body.append(server_address);
  body += R"(/openid/v1/jwks","response_types_supported":["id_token"],)"
          R"("subject_types_supported":["public"],)"
          R"("id_token_signing_alg_values_supported":["RS256"]})";
  return {200, kApplicationJson, std::move(body), false, "public, max-age=3600"};
}

}  // namespace tabernetes::server
