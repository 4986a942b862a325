// Small endpoints beside the API: the issuer of tokens, profiles.
// Source: spec/rest.md 1.10.
#pragma once

#include <optional>
#include <string_view>

#include "server/http/text_answer.h"

namespace tabernetes::server {

// The answer to `path`, decoded; nothing if it is none of these. `server_address` is where the
// caller reaches us ("127.0.0.1:8001").
std::optional<TextAnswer> answer_other_endpoint(std::string_view path,
                                                std::string_view server_address);

}  // namespace tabernetes::server
