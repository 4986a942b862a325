#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../requests.h"
#include "tabernetes/api_server.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kPodsOfNew = "/api/v1/namespaces/new/pods";
constexpr std::string_view kFirstPod =
    R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})";

std::string pod_in_new_namespace(const Options& options) {
  ApiServer server(options);
  text_of(ask(server, "POST", "/api/v1/namespaces", R"({"metadata":{"name":"new"}})"));
  return text_of(ask(server, "POST", kPodsOfNew, kFirstPod));
}

TEST_CASE("accounts: the account of a new namespace is there for its first pod", "[server]") {
  Options options;
  options.controllers = {"serviceaccount-controller"};
  const std::string pod = pod_in_new_namespace(options);
  CHECK(pod.find(R"("serviceAccountName":"default")") != std::string::npos);
  CHECK(pod.find(R"("mountPath":"/var/run/secrets/kubernetes.io/serviceaccount")") !=
        std::string::npos);
}

TEST_CASE("accounts: where nobody makes them, pods need none unless the plugin is enabled",
          "[server]") {
  Options options;
  CHECK(pod_in_new_namespace(options).find("serviceAccount") == std::string::npos);
  options.enable_admission_plugins = {"ServiceAccount"};
  CHECK(pod_in_new_namespace(options).find(
            R"("message":"pods \"p\" is forbidden: error looking up service account new/default: )"
            R"(serviceaccount \"default\" not found")") != std::string::npos);
}

}  // namespace
}  // namespace tabernetes::server
