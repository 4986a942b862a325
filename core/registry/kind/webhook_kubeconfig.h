// Kubeconfigs that say where webhooks of authentication, authorization and ImagePolicyWebhook are.
// Source: upstream 1.36 apiserver/pkg/util/webhook/webhook.go, client-go/tools/clientcmd.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "registry/kind/webhook_client.h"
#include "tabernetes/expected.h"

namespace tabernetes::registry {

// The texts of files by their paths.
using Files = std::map<std::string, std::string>;

// Returns the paths of the files that are needed to read the kubeconfig at `path` and that `files`
// lacks: itself, or those that it names for its current context, or for all users. None if it is
// malformed.
enum class UsersWanted { kCurrent, kAll };
std::vector<std::string> files_of_kubeconfig(const std::string& path, const Files& files,
                                             UsersWanted users = UsersWanted::kCurrent);

// The users of a kubeconfig, who stand for servers: "hooks.example:8443", "name.namespace.svc", and
// with a star for what comes before, as "*.example" and "*".
class WebhookUsers {
 public:
  // Lets the server of the client know who calls: the user that its name and port find, else that
  // of the current context; nobody if there is none. Source: upstream 1.36 apiserver
  // pkg/util/webhook/authentication.go.
  void identify(WebhookClient& client) const;

 private:
  friend Expected<WebhookUsers> read_webhook_users(const std::string& path, const Files& files);
  struct Credentials {
    std::string certificate, key;
    std::vector<std::pair<std::string, std::string>> headers;
  };

  const Credentials* find(const std::string& target) const;

  std::map<std::string, Credentials, std::less<>> by_server_;
  std::string current_;
};

// Reads the users of the kubeconfig at `path`.
Expected<WebhookUsers> read_webhook_users(const std::string& path, const Files& files);

// Returns how the server of the kubeconfig's current context is called. Fails as clientcmd does.
Expected<WebhookClient> read_kubeconfig(const std::string& path, const Files& files);

}  // namespace tabernetes::registry
