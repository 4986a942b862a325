#include <string>

#include "../loop_fixture.h"
#include "base/text/base64.h"
#include "base/time/rfc3339.h"

namespace tabernetes::controllers {
namespace {

constexpr LoopFixture::Resource kTokenSecrets{"", "v1", "secrets"};
constexpr LoopFixture::Resource kTokenAccounts{"", "v1", "serviceaccounts"};
constexpr LoopFixture::Resource kTokenMaps{"", "v1", "configmaps"};
constexpr LoopFixture::Resource kTokenPods{"", "v1", "pods"};

// A token is its claims.
class OpenSigner final : public TokenSigner {
 public:
  std::string sign(const json::Value& claims) const override { return tests::json_text(claims); }
};

class TokensFixture : public LoopFixture {
 public:
  explicit TokensFixture(std::string_view loop = "serviceaccount-token-controller")
      : LoopFixture(loop) {
    set_token_signer(&signer_);
    put(kTokenAccounts, "default", R"({"metadata":{"name":"bot","uid":"b1"}})");
    run();
  }

  void create_secret(std::string_view name, std::string_view account = "bot",
                     std::string_view more = "") {
    REQUIRE(create(kTokenSecrets, "default",
                   R"({"type":"kubernetes.io/service-account-token","metadata":{"name":")" +
                       std::string(name) +
                       R"(","annotations":{"kubernetes.io/service-account.name":")" +
                       std::string(account) + "\"" + std::string(more) + "}}}") == "");
  }
  std::string secret_at(std::string_view path) {
    return stored(kTokenSecrets, "default", "token", path);
  }
  // Returns the decoded text of a key.
  std::string data(std::string_view key) {
    const json::Value secret = registry.find_object(kTokenSecrets, "default", "token", arena);
    return base64_decode(text_at(secret, {"data", key})).value_or("?");
  }

 private:
  OpenSigner signer_;
};

TEST_CASE("account tokens: a Secret gets token, namespace and certificate", "[controllers]") {
  TokensFixture cluster;
  cluster.create_secret("token");
  cluster.run();
  CHECK(cluster.data("token") ==
        R"({"iss":"kubernetes/serviceaccount","kubernetes.io/serviceaccount/namespace":"default",)"
        R"("kubernetes.io/serviceaccount/secret.name":"token",)"
        R"("kubernetes.io/serviceaccount/service-account.name":"bot",)"
        R"("kubernetes.io/serviceaccount/service-account.uid":"b1",)"
        R"("sub":"system:serviceaccount:default:bot"})");
  CHECK(cluster.data("namespace") == "default");
  CHECK(cluster.data("ca.crt").starts_with("-----BEGIN CERTIFICATE-----\n"));
  CHECK(cluster.secret_at("metadata.annotations") ==
        R"({"kubernetes.io/service-account.name":"bot","kubernetes.io/service-account.uid":"b1"})");
  CHECK(cluster.run() <= 1);
}

TEST_CASE("account tokens: a Secret goes when its account is gone, or another one",
          "[controllers]") {
  TokensFixture cluster;
  cluster.create_secret("token");
  cluster.create_secret("no-account", "nobody");
  cluster.create_secret("other-uid", "bot", R"(,"kubernetes.io/service-account.uid":"old")");
  cluster.run();
  CHECK(cluster.names(kTokenSecrets, "default") == "token");
  cluster.remove(kTokenAccounts, "default", "bot");
  cluster.run();
  CHECK(cluster.names(kTokenSecrets, "default") == "");
}

TEST_CASE("account tokens: an account forgets a Secret that was deleted", "[controllers]") {
  TokensFixture cluster;
  cluster.put(
      kTokenAccounts, "default",
      R"({"metadata":{"name":"bot","uid":"b1"},"secrets":[{"name":"token"},{"name":"x"}]})");
  cluster.create_secret("token");
  cluster.run();
  REQUIRE(cluster.erase(kTokenSecrets, "default", "token") == "");
  cluster.run();
  CHECK(cluster.stored(kTokenAccounts, "default", "bot", "secrets") == R"([{"name":"x"}])");
}

TEST_CASE("account tokens: what a user takes out comes back", "[controllers]") {
  TokensFixture cluster;
  cluster.create_secret("token");
  cluster.run();
  const std::string data = cluster.secret_at("data");
  REQUIRE(
      cluster.update(kTokenSecrets, "default",
                     R"({"type":"kubernetes.io/service-account-token","metadata":{"name":"token",)"
                     R"("annotations":{"kubernetes.io/service-account.name":"bot"}},)"
                     R"("data":{"ca.crt":"eA=="}})") == "");
  cluster.run();
  CHECK(cluster.secret_at("data") == data);
}

// --- The cleaner

class CleanerFixture : public TokensFixture {
 public:
  CleanerFixture() : TokensFixture("legacy-serviceaccount-token-cleaner-controller") {
    now = *parse_rfc3339("2026-01-01T00:00:00Z");
    store.advance(now);
    put(kTokenAccounts, "default",
        R"({"metadata":{"name":"bot","uid":"b1"},"secrets":[{"name":"token"}]})");
    put(kTokenMaps, "kube-system",
        R"({"metadata":{"name":"kube-apiserver-legacy-service-account-token-tracking"},)"
        R"("data":{"since":"2024-01-01"}})");
  }
  void put_secret(std::string_view labels) {
    put(kTokenSecrets, "default",
        R"({"type":"kubernetes.io/service-account-token","metadata":{"name":"token","uid":"s1",)"
        R"("creationTimestamp":"2024-01-01T00:00:00Z","labels":{)" +
            std::string(labels) +
            R"(},"annotations":{"kubernetes.io/service-account.name":"bot"}}})");
    run(Duration::from_seconds(24 * 60 * 60));
  }
};

TEST_CASE("account tokens: one that was not used for a year is marked, then deleted",
          "[controllers]") {
  CleanerFixture cluster;
  cluster.put_secret("");
  CHECK(cluster.secret_at("metadata.labels") ==
        R"({"kubernetes.io/legacy-token-invalid-since":"2026-01-02"})");
  cluster.run(Duration::from_seconds(std::int64_t{366} * 24 * 60 * 60));
  CHECK(cluster.secret_at("metadata.name") == "");
}

TEST_CASE("account tokens: those that are used, mounted or new are not marked", "[controllers]") {
  SECTION("used") {
    CleanerFixture cluster;
    cluster.put_secret(R"("kubernetes.io/legacy-token-last-used":"2025-06-01")");
    CHECK(cluster.secret_at("metadata.labels") ==
          R"({"kubernetes.io/legacy-token-last-used":"2025-06-01"})");
  }
  SECTION("mounted") {
    CleanerFixture cluster;
    cluster.put(kTokenPods, "default",
                R"({"metadata":{"name":"p"},"spec":{"volumes":[)"
                R"({"name":"v","secret":{"secretName":"token"}}],"containers":[]}})");
    cluster.put_secret("");
    CHECK(cluster.secret_at("metadata.labels") == "");
  }
  SECTION("made by hand") {
    CleanerFixture cluster;
    cluster.put(kTokenAccounts, "default", R"({"metadata":{"name":"bot","uid":"b1"}})");
    cluster.put_secret("");
    CHECK(cluster.secret_at("metadata.labels") == "");
  }
  SECTION("uses are not noted for long enough") {
    CleanerFixture cluster;
    cluster.put(kTokenMaps, "kube-system",
                R"({"metadata":{"name":"kube-apiserver-legacy-service-account-token-tracking"},)"
                R"("data":{"since":"2025-12-31"}})");
    cluster.put_secret("");
    CHECK(cluster.secret_at("metadata.labels") == "");
  }
}

// --- The ConfigMap

TEST_CASE("account tokens: the day since when uses are noted", "[controllers]") {
  LoopFixture cluster("serviceaccount-token-controller");
  cluster.now = *parse_rfc3339("2026-01-01T23:00:00Z");
  cluster.store.advance(cluster.now);
  const std::string_view name = "kube-apiserver-legacy-service-account-token-tracking";
  REQUIRE(cluster.create({"", "v1", "namespaces"}, "", R"({"metadata":{"name":"kube-system"}})") ==
          "");
  cluster.run();
  CHECK(cluster.stored(kTokenMaps, "kube-system", name, "data") == R"({"since":"2026-01-01"})");
  cluster.put(kTokenMaps, "kube-system",
              R"({"metadata":{"name":")" + std::string(name) + R"("},"data":{"since":"x"}})");
  cluster.run(Duration::from_seconds(3600));
  CHECK(cluster.stored(kTokenMaps, "kube-system", name, "data") == R"({"since":"2026-01-02"})");
  // It is made every half an hour at most.
  cluster.remove(kTokenMaps, "kube-system", name);
  cluster.run();
  CHECK(cluster.names(kTokenMaps, "kube-system") == name);
  cluster.remove(kTokenMaps, "kube-system", name);
  cluster.run();
  CHECK(cluster.names(kTokenMaps, "kube-system") == "");
  cluster.run(Duration::from_seconds(1800));
  CHECK(cluster.names(kTokenMaps, "kube-system") == name);
}

}  // namespace
}  // namespace tabernetes::controllers
