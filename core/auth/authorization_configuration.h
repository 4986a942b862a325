// AuthorizationConfiguration of apiserver.config.k8s.io: which authorizers are asked in turn.
// Source: upstream 1.36 apiserver/pkg/apis/apiserver/validation, pkg/kubeapiserver/authorizer.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "auth/webhook_authorizer.h"
#include "registry/kind/webhook_kubeconfig.h"
#include "tabernetes/options.h"

namespace tabernetes::auth {

struct AuthorizationConfiguration {
  std::vector<Authorization> modes;
  // Those of the modes kWebhook, in order.
  std::vector<std::shared_ptr<const AccessWebhook>> webhooks;
};

// Reads and validates the configuration. `files` are the files that it names.
Expected<AuthorizationConfiguration> read_authorization_configuration(std::string_view text,
                                                                      const registry::Files& files);

// Returns the paths of the kubeconfigs that the options name.
std::vector<std::string> kubeconfigs_of(const Options& options);

// Returns what a cluster with these options does: its configuration, or else its list of modes. An
// invalid configuration allows nothing.
AuthorizationConfiguration authorization_of(const Options& options);

}  // namespace tabernetes::auth
