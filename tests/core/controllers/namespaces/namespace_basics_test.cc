#include <string>

#include "../loop_fixture.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kHomes{"", "v1", "namespaces"};
constexpr LoopFixture::Resource kAccounts{"", "v1", "serviceaccounts"};
constexpr LoopFixture::Resource kCertificateMaps{"", "v1", "configmaps"};

TEST_CASE("namespace basics: every active namespace has the account `default`, again and again",
          "[controllers]") {
  LoopFixture cluster("serviceaccount-controller");
  REQUIRE(cluster.create(kHomes, "", R"({"metadata":{"name":"a"}})") == "");
  cluster.put(kHomes, "", R"({"metadata":{"name":"b"},"status":{"phase":"Terminating"}})");
  cluster.run();
  CHECK(cluster.names(kAccounts, "a") == "default");
  CHECK(cluster.names(kAccounts, "b") == "");
  const std::string uid = cluster.stored(kAccounts, "a", "default", "metadata.uid");
  cluster.run();
  CHECK(cluster.stored(kAccounts, "a", "default", "metadata.uid") == uid);
  cluster.remove(kAccounts, "a", "default");
  cluster.run();
  CHECK(cluster.names(kAccounts, "a") == "default");
  CHECK(cluster.stored(kAccounts, "a", "default", "metadata.uid") != uid);
}

TEST_CASE("namespace basics: the certificate is put back as it was", "[controllers]") {
  LoopFixture cluster("root-ca-certificate-publisher-controller");
  REQUIRE(cluster.create(kHomes, "", R"({"metadata":{"name":"a"}})") == "");
  cluster.run();
  CHECK(cluster.names(kCertificateMaps, "a") == "kube-root-ca.crt");
  const std::string data = cluster.stored(kCertificateMaps, "a", "kube-root-ca.crt", "data");
  CHECK(data.starts_with(R"({"ca.crt":"-----BEGIN CERTIFICATE-----\n)"));
  CHECK(cluster.stored(kCertificateMaps, "a", "kube-root-ca.crt", "metadata.annotations")
            .starts_with(R"({"kubernetes.io/description":"Contains a CA bundle)"));

  for (const std::string_view changed : {R"("data":{})", R"("data":{"ca.crt":"x"})",
                                         R"("data":{"other":"x"},"binaryData":{"b":"eA=="})"}) {
    INFO(changed);
    REQUIRE(cluster.update(kCertificateMaps, "a",
                           R"({"metadata":{"name":"kube-root-ca.crt","labels":{"k":"v"}},)" +
                               std::string(changed) + "}") == "");
    cluster.run();
    CHECK(cluster.stored(kCertificateMaps, "a", "kube-root-ca.crt", "data") == data);
    // The rest is the client's.
    CHECK(cluster.stored(kCertificateMaps, "a", "kube-root-ca.crt", "metadata.labels") ==
          R"({"k":"v"})");
  }
  CHECK(cluster.run() == 0);
}

}  // namespace
}  // namespace tabernetes::controllers
