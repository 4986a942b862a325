#include "auth/authorization_configuration.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace tabernetes::auth {
namespace {

const registry::Files kFiles = {
    {"/etc/hook.yaml",
     "clusters: [{name: c, cluster: {server: 'https://hook.example/authorize', "
     "certificate-authority: ca.pem}}]\n"
     "users: [{name: u, user: {token: sesame}}]\n"
     "contexts: [{name: x, context: {cluster: c, user: u}}]\n"
     "current-context: x\n"},
    {"/etc/ca.pem", "AUTHORITY"},
    {"/etc/empty.yaml", "{}"},
};

constexpr std::string_view kWebhook =
    "timeout: 3s, subjectAccessReviewVersion: v1, failurePolicy: Deny, "
    "connectionInfo: {type: KubeConfigFile, kubeConfigFile: /etc/hook.yaml}";

std::string configuration(std::string_view authorizers, std::string_view version = "v1") {
  return "apiVersion: apiserver.config.k8s.io/" + std::string(version) +
         "\nkind: AuthorizationConfiguration\nauthorizers: [" + std::string(authorizers) + "]\n";
}

// A webhook with the usual settings, in which `from` is replaced by `to`.
std::string webhook(std::string_view from = "", std::string_view to = "",
                    std::string_view more = "") {
  std::string settings(kWebhook);
  if (!from.empty()) settings.replace(settings.find(from), from.size(), to);
  return configuration("{type: Webhook, name: w, webhook: {" + settings + std::string(more) + "}}");
}

std::string fault_of(const std::string& text) {
  const auto read = read_authorization_configuration(text, kFiles);
  return read ? "" : read.fault().message;
}

TEST_CASE("AuthorizationConfiguration: modes and webhooks in order", "[auth]") {
  for (const std::string_view version : {"v1", "v1beta1", "v1alpha1"}) {
    const auto read = read_authorization_configuration(
        configuration("{type: Node, name: node}, {type: Webhook, name: a.example, webhook: {" +
                          std::string(kWebhook) +
                          ", unauthorizedTTL: 1m, cacheAuthorizedRequests: false}}, "
                          "{type: RBAC, name: rbac}",
                      version),
        kFiles);
    REQUIRE(read);
    CHECK(read->modes ==
          std::vector{Authorization::kNode, Authorization::kWebhook, Authorization::kRbac});
    REQUIRE(read->webhooks.size() == 1);
    const AccessWebhook& one = *read->webhooks[0];
    CHECK(one.name == "a.example");
    CHECK(one.version == "v1");
    CHECK(one.timeout == Duration::from_seconds(3));
    CHECK(one.authorized_ttl == Duration{});
    CHECK(one.unauthorized_ttl == Duration::from_seconds(60));
    CHECK(one.denies_on_error);
    CHECK(one.client.url == "https://hook.example/authorize");
    CHECK(one.client.ca_bundle == "AUTHORITY");
    REQUIRE(one.client.headers.size() == 1);
    CHECK(one.client.headers[0].second == "Bearer sesame");
  }
}

TEST_CASE("AuthorizationConfiguration: decoding is strict", "[auth]") {
  const std::string load = "failed to load AuthorizationConfiguration from file: ";
  CHECK(fault_of("kind: AuthorizationConfiguration") ==
        load + "Object 'apiVersion' is missing in '{\"kind\":\"AuthorizationConfiguration\"}'");
  CHECK(fault_of("apiVersion: apiserver.config.k8s.io/v1\nkind: Other") ==
        load +
            "no kind \"Other\" is registered for version \"apiserver.config.k8s.io/v1\" in "
            "scheme \"k8s.io/apiserver/pkg/apis/apiserver/load/load.go:32\"");
  CHECK(fault_of(configuration("{type: RBAC, name: rbac, more: 1}")) ==
        load + "strict decoding error: unknown field \"authorizers[0].more\"");
  CHECK(fault_of(webhook("timeout: 3s", "timeout: 3s, timeOut: 1")) ==
        load + "strict decoding error: unknown field \"authorizers[0].webhook.timeOut\"");
  CHECK(fault_of(configuration("{type: 1}")) ==
        load +
            "json: cannot unmarshal number into Go struct field "
            "AuthorizationConfiguration.authorizers.type of type string");
  CHECK(fault_of(webhook("timeout: 3s", "timeout: 3x")) ==
        load + "time: unknown unit \"x\" in duration \"3x\"");
}

TEST_CASE("AuthorizationConfiguration: validation has upstream's messages", "[auth]") {
  CHECK(fault_of(configuration("")) ==
        "authorizers: Required value: at least one authorization mode must be defined");
  CHECK(fault_of(configuration("{name: x}")) == "authorizers[0].type: Required value");
  CHECK(fault_of(configuration("{type: Nobody, name: x}")) ==
        "authorizers[0].type: Unsupported value: \"Nobody\": supported values: \"ABAC\", "
        "\"AlwaysAllow\", \"AlwaysDeny\", \"Node\", \"RBAC\", \"Webhook\"");
  CHECK(fault_of(configuration("{type: RBAC, name: rbac}, {type: RBAC, name: b}")) ==
        "authorizers[1].type: Duplicate value: \"RBAC\"");
  CHECK(fault_of(configuration("{type: RBAC, name: b}")) ==
        "expected name rbac for authorizer RBAC instead of b");
  CHECK(fault_of(configuration("{type: RBAC, name: rbac, webhook: {}}")) ==
        "authorizers[0].webhook: Invalid value: \"non-null\": may only be specified when "
        "type=Webhook");
  CHECK(fault_of(configuration("{type: Webhook, name: w}")) ==
        "authorizers[0].webhook: Required value: required when type=Webhook");
  CHECK(fault_of(webhook("timeout: 3s, ", "")) == "authorizers[0].timeout: Required value");
  CHECK(fault_of(webhook("3s", "31s")) ==
        "authorizers[0].timeout: Invalid value: \"31s\": must be > 0s and <= 30s");
  CHECK(fault_of(webhook("", "", ", authorizedTTL: -90s")) ==
        "authorizers[0].authorizedTTL: Invalid value: \"-1m30s\": must be > 0s");
  CHECK(fault_of(webhook("Version: v1", "Version: v2")) ==
        "authorizers[0].subjectAccessReviewVersion: Unsupported value: \"v2\": supported values: "
        "\"v1\", \"v1beta1\"");
  CHECK(fault_of(webhook("Deny", "Allow")) ==
        "authorizers[0].failurePolicy: Unsupported value: \"Allow\": supported values: "
        "\"NoOpinion\", \"Deny\"");
  CHECK(fault_of(webhook("/etc/hook.yaml", "hook.yaml")) ==
        "authorizers[0].connectionInfo.kubeConfigFile: Invalid value: \"hook.yaml\": must be an "
        "absolute path");
  CHECK(fault_of(webhook("/etc/hook.yaml", "/etc/none.yaml")) ==
        "authorizers[0].connectionInfo.kubeConfigFile: Invalid value: \"/etc/none.yaml\": error "
        "loading file: stat /etc/none.yaml: no such file or directory");
  CHECK(fault_of(webhook("/etc/hook.yaml", "/etc/empty.yaml")) ==
        "invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER "
        "environment variable");
  CHECK(fault_of(webhook("", "", ", matchConditions: [{expression: 'true'}]")) ==
        "authorizers[0].matchConditionSubjectAccessReviewVersion: Required value: required if "
        "match conditions are specified");
}

TEST_CASE("AuthorizationConfiguration: match conditions are compiled", "[auth]") {
  const auto conditions = [](std::string_view list) {
    return fault_of(webhook("", "",
                            ", matchConditionSubjectAccessReviewVersion: v1, "
                            "matchConditions: [" +
                                std::string(list) + "]"));
  };
  CHECK(conditions("{expression: 'has(request.resourceAttributes) && request.user == \"a\"'}") ==
        "");
  CHECK(conditions("{expression: ' '}") ==
        "authorizers[0].matchConditions[0].expression: Required value");
  CHECK(conditions("{expression: 'true'}, {expression: 'true'}") ==
        "authorizers[0].matchConditions[1].expression: Duplicate value: \"true\"");
  CHECK(conditions("{expression: request.user}") ==
        "authorizers[0].matchConditions[0].expression: Invalid value: \"request.user\": must "
        "evaluate to bool but got string");
  CHECK(conditions("{expression: request.who}") ==
        "authorizers[0].matchConditions[0].expression: Invalid value: \"request.who\": compilation "
        "failed: ERROR: <input>:1:8: undefined field 'who'\n | request.who\n | .......^");
}

TEST_CASE("AuthorizationConfiguration: the flags of a webhook are one", "[auth]") {
  const AuthorizationWebhook flags{.kubeconfig = "/etc/hook.yaml", .unauthorized_ttl = {}};
  const auto read = read_authorization_configuration(
      authorization_configuration_of({Authorization::kNode, Authorization::kWebhook}, flags),
      kFiles);
  REQUIRE(read);
  CHECK(read->modes == std::vector{Authorization::kNode, Authorization::kWebhook});
  const AccessWebhook& one = *read->webhooks[0];
  CHECK(one.version == "v1beta1");
  CHECK(one.authorized_ttl == Duration::from_seconds(300));
  CHECK(one.unauthorized_ttl == Duration{});
  CHECK_FALSE(one.denies_on_error);
}

TEST_CASE("AuthorizationConfiguration: an invalid one allows nothing", "[auth]") {
  Options options;
  options.authorization_configuration = webhook();  // without its file
  CHECK(kubeconfigs_of(options) == std::vector<std::string>{"/etc/hook.yaml"});
  CHECK(authorization_of(options).modes == std::vector{Authorization::kAlwaysDeny});
  options.files = {{"/etc/hook.yaml", kFiles.at("/etc/hook.yaml")}};
  CHECK(authorization_of(options).modes == std::vector{Authorization::kAlwaysDeny});
  options.files = kFiles;
  CHECK(authorization_of(options).modes == std::vector{Authorization::kWebhook});
}

}  // namespace
}  // namespace tabernetes::auth
