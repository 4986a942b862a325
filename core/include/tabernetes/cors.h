// What --cors-allowed-origins may hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tabernetes {

// Pages of this machine, at any port.
inline constexpr std::string_view kLocalOrigins =
    R"(^https?://(localhost|[^/:@]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$)";

// What is wrong with an item of the list, a regular expression; empty if nothing is. It must say
// where the host begins and ends, or it would let in `evil-example.com` for `example.com`.
std::string check_cors_origin(std::string_view pattern);

// Whether an item of the list `origins` matches `origin`.
bool cors_allows(const std::vector<std::string>& origins, std::string_view origin);

}  // namespace tabernetes
