// Writes the kubeconfig of --kubeconfig: one cluster, one user, one context.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "certificate_maker.h"

namespace tabernetes::host {

// Any text works: a server without a token file ignores tokens that it did not issue.
inline constexpr std::string_view kAnyToken = "tabernetes";

// How a kubeconfig reaches a server, and as whom.
struct KubeconfigWish {
  std::string server_url;  // "http://127.0.0.1:8001"
  std::string authority;   // PEM: what to verify the server with; empty: it is not verified
  std::string token = std::string(kAnyToken);  // empty if there is a certificate
  Certificate certificate = {};                // of the user; empty: it has none
};

// Returns a kubeconfig that reaches the server with kubectl and every client library.
std::string kubeconfig_text(const KubeconfigWish& wish);

// Writes the kubeconfig to `file`, readable by its owner only. Replaces an existing file
// atomically. The folder must exist. Returns an error, empty for success.
std::string write_kubeconfig(const std::filesystem::path& file, const KubeconfigWish& wish);

}  // namespace tabernetes::host
