// The kubeconfig that --kubeconfig writes: one cluster, one user, one context.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tabernetes::host {

// A server without a token file ignores tokens that it did not issue.
inline constexpr std::string_view kAnyToken = "tabernetes";

// A kubeconfig that reaches `server_url`, such as "http://127.0.0.1:8001", with kubectl and every
// client library. `token`: whom it makes its user.
std::string kubeconfig_text(std::string_view server_url, std::string_view token = kAnyToken);

// Writes it to `file`, readable by its owner only; what was there is replaced at once. The folder
// must exist. Returns what went wrong, or an empty string.
std::string write_kubeconfig(const std::filesystem::path& file, std::string_view server_url,
                             std::string_view token = kAnyToken);

}  // namespace tabernetes::host
