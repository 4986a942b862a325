#include <string>

#include "../loop_fixture.h"
#include "base/text/base64.h"
#include "base/time/rfc3339.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kBootstrapSecrets{"", "v1", "secrets"};
constexpr LoopFixture::Resource kInfoMaps{"", "v1", "configmaps"};

void put_token(LoopFixture& cluster, std::string_view id, std::string_view secret,
               std::string_view expiration = "", std::string_view signing = "true") {
  std::string data;
  const auto add = [&](std::string_view key, std::string_view value) {
    data +=
        (data.empty() ? "\"" : ",\"") + std::string(key) + "\":\"" + base64_encode(value) + "\"";
  };
  add("token-id", id);
  add("token-secret", secret);
  add("usage-bootstrap-signing", signing);
  if (!expiration.empty()) add("expiration", expiration);
  cluster.put(kBootstrapSecrets, "kube-system",
              R"({"type":"bootstrap.kubernetes.io/token","metadata":{"name":"bootstrap-token-)" +
                  std::string(id) + R"("},"data":{)" + data + "}}");
}

TEST_CASE("bootstrap tokens: those that have expired are deleted", "[controllers]") {
  LoopFixture cluster("token-cleaner-controller");
  cluster.now = *parse_rfc3339("2026-01-01T00:00:00Z");
  cluster.store.advance(cluster.now);
  put_token(cluster, "aaaaaa", "0123456789abcdef");
  put_token(cluster, "bbbbbb", "0123456789abcdef", "2026-01-01T01:00:00Z");
  put_token(cluster, "cccccc", "0123456789abcdef", "2025-01-01T00:00:00Z");
  put_token(cluster, "dddddd", "0123456789abcdef", "soon");
  cluster.run();
  CHECK(cluster.names(kBootstrapSecrets, "kube-system") ==
        "bootstrap-token-aaaaaa bootstrap-token-bbbbbb");
  cluster.run(Duration::from_seconds(3600));
  CHECK(cluster.names(kBootstrapSecrets, "kube-system") == "bootstrap-token-aaaaaa");
}

TEST_CASE("bootstrap tokens: they sign the ConfigMap cluster-info", "[controllers]") {
  LoopFixture cluster("bootstrap-signer-controller");
  REQUIRE(cluster.create({"", "v1", "namespaces"}, "", R"({"metadata":{"name":"kube-public"}})") ==
          "");
  cluster.put(kInfoMaps, "kube-public",
              R"({"metadata":{"name":"cluster-info"},"data":{"kubeconfig":"content",)"
              R"("jws-kubeconfig-zzzzzz":"of a token that is gone"}})");
  put_token(cluster, "joshua", "0123456789abcdef");
  put_token(cluster, "nosign", "0123456789abcdef", "", "false");
  cluster.run();
  // As go-jose signs it.
  CHECK(
      cluster.stored(kInfoMaps, "kube-public", "cluster-info", "data") ==
      R"({"jws-kubeconfig-joshua":"eyJhbGciOiJIUzI1NiIsImtpZCI6Impvc2h1YSJ9..l5PeV9i22n95RMMRdeAq1Jy4EcKXD-4iaVAHzWVVYxM","kubeconfig":"content"})");
  cluster.remove(kBootstrapSecrets, "kube-system", "bootstrap-token-joshua");
  cluster.run();
  CHECK(cluster.stored(kInfoMaps, "kube-public", "cluster-info", "data") ==
        R"({"kubeconfig":"content"})");
}

}  // namespace
}  // namespace tabernetes::controllers
