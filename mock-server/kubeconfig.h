// Writes the kubeconfig of --kubeconfig: one cluster, one user, one context.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tabernetes::host {

// Any text works: a server without a token file ignores tokens that it did not issue.
inline constexpr std::string_view kAnyToken = "tabernetes";

// Returns a kubeconfig that reaches `server_url`, such as "http://127.0.0.1:8001", with kubectl and
// every client library. `token` is the credential of its user.
std::string kubeconfig_text(std::string_view server_url, std::string_view token = kAnyToken);

// Writes the kubeconfig to `file`, readable by its owner only. Replaces an existing file
// atomically. The folder must exist. Returns an error, empty for success.
std::string write_kubeconfig(const std::filesystem::path& file, std::string_view server_url,
                             std::string_view token = kAnyToken);

}  // namespace tabernetes::host
