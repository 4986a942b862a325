#include <string>

#include "admission/chain.h"
#include "plugin_fixture.h"

namespace tabernetes::admission {
namespace {

constexpr PluginFixture::Resource kPods{"", "v1", "pods"};
constexpr PluginFixture::Resource kAccounts{"", "v1", "serviceaccounts"};

std::string pod(std::string_view metadata, std::string_view spec) {
  return R"({"metadata":{"name":"p")" + std::string(metadata) + R"(},"spec":{)" +
         std::string(spec) +
         R"("containers":[{"name":"c","image":"i","terminationMessagePath":"m",)"
         R"("terminationMessagePolicy":"File","imagePullPolicy":"Always"}],)"
         R"("restartPolicy":"Always","dnsPolicy":"Default","terminationGracePeriodSeconds":1}})";
}

// An account of the given name; the annotation limits its pods to its secret `mine`.
std::string account(std::string_view name, std::string_view limits) {
  return R"({"metadata":{"name":")" + std::string(name) +
         R"(","annotations":{"kubernetes.io/enforce-mountable-secrets":")" + std::string(limits) +
         R"("}},"secrets":[{"name":"mine"}],"imagePullSecrets":[{"name":"pull"}]})";
}

TEST_CASE("ServiceAccount: a pod runs as an account that exists", "[admission]") {
  PluginFixture cluster("ServiceAccount");
  CHECK(cluster.create(kPods, "default", pod("", "")) ==
        R"(pods "p" is forbidden: error looking up service account default/default: )"
        R"(serviceaccount "default" not found)");
  cluster.put(kAccounts, "default", R"({"metadata":{"name":"default"}})");
  CHECK(cluster.create(kPods, "default", pod("", "")) == "");
  CHECK(cluster.stored(kPods, "default", "p", "spec.serviceAccountName") == R"("default")");
  CHECK(cluster.stored(kPods, "default", "p", "spec.volumes")
            .find(R"({"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}})") !=
        std::string::npos);
}

TEST_CASE("ServiceAccount: an account may limit the secrets of its pods", "[admission]") {
  PluginFixture cluster("ServiceAccount");
  cluster.put(kAccounts, "default", account("strict", "T"));
  cluster.put(kAccounts, "default", account("lax", "yes"));
  const auto refused = [&](std::string_view spec) {
    const std::string message = cluster.create(
        kPods, "default", pod("", R"("serviceAccountName":"strict",)" + std::string(spec)));
    const std::string_view begin = R"(pods "p" is forbidden: )";
    return message.starts_with(begin) ? message.substr(begin.size()) : message;
  };
  CHECK(refused(R"("volumes":[{"name":"v","secret":{"secretName":"other","defaultMode":420}}],)") ==
        R"(volume with secret.secretName="other" is not allowed because service account strict )"
        R"(does not reference that secret)");
  CHECK(refused(R"("initContainers":[{"name":"a","image":"i","env":[{"name":"E","valueFrom":)"
                R"({"secretKeyRef":{"name":"other","key":"k"}}}]}],)") ==
        R"(init container a with envVar E referencing secret.secretName="other" is not allowed )"
        R"(because service account strict does not reference that secret)");
  CHECK(refused(R"("initContainers":[{"name":"a","image":"i","envFrom":[{"secretRef":)"
                R"({"name":"other"}}]}],)") ==
        R"(init container a with envFrom referencing secret.secretName="other" is not allowed )"
        R"(because service account strict does not reference that secret)");
  CHECK(refused(R"("imagePullSecrets":[{"name":"pull"},{"name":"other"}],)") ==
        R"(imagePullSecrets[1].name="other" is not allowed because service account strict )"
        R"(does not reference that imagePullSecret)");
  CHECK(refused(R"("volumes":[{"name":"v","secret":{"secretName":"mine","defaultMode":420}}],)") ==
        "");
  CHECK(cluster.stored(kPods, "default", "p", "spec.imagePullSecrets") == R"([{"name":"pull"}])");
  cluster.remove(kPods, "default", "p");
  CHECK(cluster.create(kPods, "default",
                       pod("", R"("serviceAccountName":"lax","volumes":[{"name":"v","secret":)"
                               R"({"secretName":"other","defaultMode":420}}],)")) == "");
}

TEST_CASE("ServiceAccount: a mirror pod has neither account nor secrets", "[admission]") {
  PluginFixture cluster("ServiceAccount");
  const auto refused = [&](std::string_view spec) {
    return cluster.create(kPods, "default",
                          pod(R"(,"annotations":{"kubernetes.io/config.mirror":"x"})", spec));
  };
  const std::string begin = R"(pods "p" is forbidden: a mirror pod may not )";
  CHECK(refused(R"("serviceAccountName":"a",)") == begin + "reference service accounts");
  CHECK(refused(R"("imagePullSecrets":[{"name":"s"}],)") == begin + "reference secrets");
  CHECK(refused(R"("volumes":[{"name":"v","csi":{"driver":"d","nodePublishSecretRef":)"
                R"({"name":"s"}}}],)") == begin + "reference secrets");
  CHECK(refused(R"("volumes":[{"name":"v","projected":{"sources":[{"serviceAccountToken":)"
                R"({"path":"t"}}]}}],)") == begin + "use ServiceAccountToken volume projections");
}

}  // namespace
}  // namespace tabernetes::admission
