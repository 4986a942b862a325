// Kubeconfigs that say where webhooks of authentication and authorization are. Source: upstream
// 1.36 apiserver/pkg/util/webhook/webhook.go, client-go/tools/clientcmd.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "registry/kind/webhook_client.h"
#include "tabernetes/expected.h"

namespace tabernetes::auth {

// The texts of files by their paths.
using Files = std::map<std::string, std::string>;

// Returns the paths of the files that are needed to read the kubeconfig at `path` and that `files`
// lacks: itself, or those that it names. None if it is malformed.
std::vector<std::string> files_of_kubeconfig(const std::string& path, const Files& files);

// Returns how the server of the kubeconfig's current context is called. Fails as clientcmd does.
Expected<registry::WebhookClient> read_kubeconfig(const std::string& path, const Files& files);

}  // namespace tabernetes::auth
