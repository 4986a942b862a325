// What the issuer of service account tokens says of itself. Source: spec/rest.md 1.10.
#pragma once

#include <optional>
#include <string_view>

#include "server/http/text_answer.h"

namespace tabernetes::server {

// Returns the answer to `path`, decoded; nullopt if it is another path. `server_address` is our
// address as the client sees it ("127.0.0.1:8001").
std::optional<TextResponse> answer_openid_endpoint(std::string_view path,
                                                   std::string_view server_address);

}  // namespace tabernetes::server
