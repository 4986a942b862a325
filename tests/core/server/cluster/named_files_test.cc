// Which files a host reads because configurations name them.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "tabernetes/options.h"

namespace tabernetes {
namespace {

using Paths = std::vector<std::string>;

std::string kubeconfig(std::string_view authority) {
  return "current-context: c\nclusters: [{name: k, cluster: {server: 'https://x', "
         "certificate-authority: " +
         std::string(authority) + "}}]\ncontexts: [{name: c, context: {cluster: k}}]\n";
}

TEST_CASE("missing files: kubeconfigs, and what they name", "[server]") {
  Options options;
  CHECK(missing_files(options).empty());
  options.token_webhook.kubeconfig = "/etc/tokens";
  options.authorization_configuration =
      "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers: "
      "[{type: Webhook, name: w, webhook: {connectionInfo: {type: KubeConfigFile, kubeConfigFile: "
      "/etc/access}}}]\n";
  options.admission_configuration =
      "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: [{name: "
      "ImagePolicyWebhook, configuration: {imagePolicy: {kubeConfigFile: images}}}]\n";
  CHECK(missing_files(options) == Paths{"/etc/tokens", "/etc/access", "images"});
  options.files["/etc/tokens"] = kubeconfig("/ca.pem");
  options.files["/etc/access"] = kubeconfig("ca.pem");
  options.files["images"] = kubeconfig("ca.pem");
  CHECK(missing_files(options) == Paths{"/ca.pem", "/etc/ca.pem", "ca.pem"});
  for (const std::string& path : missing_files(options)) options.files[path] = "PEM";
  CHECK(missing_files(options).empty());
}

}  // namespace
}  // namespace tabernetes
