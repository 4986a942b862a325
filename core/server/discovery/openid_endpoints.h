// What the issuer of service account tokens says of itself. Source: spec/rest.md 1.10.
#pragma once

#include <string_view>

#include "server/http/text_answer.h"

namespace tabernetes::server {

// Returns the issuer's configuration. `server_address` is our address as the client sees it
// ("127.0.0.1:8001").
TextResponse openid_configuration(std::string_view server_address);

}  // namespace tabernetes::server
