#include "auth/legacy_token.h"

#include "../registry_fixture.h"
#include "base/text/base64.h"
#include "base/time/rfc3339.h"

namespace tabernetes::auth {
namespace {

constexpr tests::RegistryFixture::Resource kKeptTokens{"", "v1", "secrets"};
constexpr tests::RegistryFixture::Resource kTokenOwners{"", "v1", "serviceaccounts"};

// A cluster with a service account `bot` and its token in the Secret `key`.
class LegacyFixture : public tests::RegistryFixture {
 public:
  LegacyFixture() {
    now = *parse_rfc3339("2026-01-01T12:00:00Z");
    put(kTokenOwners, "default", R"({"metadata":{"name":"bot","uid":"b1"}})");
    keep(token());
  }

  // Stores the Secret with a token; `labels` is JSON.
  void keep(const std::string& token, std::string_view labels = "") {
    put(kKeptTokens, "default",
        R"({"type":"kubernetes.io/service-account-token","metadata":{"name":"key","labels":{)" +
            std::string(labels) + R"(}},"data":{"token":")" + base64_encode(token) + "\"}}");
  }
  std::string token(std::string_view subject = "system:serviceaccount:default:bot",
                    std::string_view uid = "b1") {
    const std::string claims =
        R"({"iss":"kubernetes/serviceaccount","kubernetes.io/serviceaccount/namespace":"default",)"
        R"("kubernetes.io/serviceaccount/secret.name":"key",)"
        R"("kubernetes.io/serviceaccount/service-account.name":"bot",)"
        R"("kubernetes.io/serviceaccount/service-account.uid":")" +
        std::string(uid) + R"(","sub":")" + std::string(subject) + "\"}";
    return issuer.issue(codec::read_json(arena.copy(claims), arena).value);
  }
  Authenticated authenticate(std::string_view token,
                             const std::vector<std::string>& audiences = {std::string(kIssuer)}) {
    const TokenFile file("");
    const TokenAuthenticator context{issuer, file, registry.resources(), store.tree(), now};
    return context.authenticate(token, audiences);
  }

  TokenIssuer issuer{""};
};

TEST_CASE("legacy token: who it authenticates", "[auth]") {
  LegacyFixture cluster;
  const Authenticated known = cluster.authenticate(cluster.token());
  CHECK(known.error == "");
  REQUIRE(known.user);
  CHECK(known.user->name == "system:serviceaccount:default:bot");
  CHECK(known.user->uid == "b1");
  CHECK(known.user->groups == std::vector<std::string>{"system:serviceaccounts",
                                                       "system:serviceaccounts:default",
                                                       "system:authenticated"});
  CHECK(known.user->extra.empty());
  CHECK(known.warning == "");
  REQUIRE(known.used);
  CHECK(known.used->ns == "default");
  CHECK(known.used->name == "key");
  CHECK(cluster.authenticate(cluster.token(), {"other"}).error ==
        R"(token audiences ["https://kubernetes.default.svc"] is invalid for the target audiences )"
        R"(["other"])");
}

TEST_CASE("legacy token: its use is noted once a day", "[auth]") {
  LegacyFixture cluster;
  for (const std::string_view day : {"2026-01-01", "2026-01-02"}) {
    cluster.keep(cluster.token(),
                 R"("kubernetes.io/legacy-token-last-used":")" + std::string(day) + "\"");
    CHECK_FALSE(cluster.authenticate(cluster.token()).used);
  }
  cluster.keep(cluster.token(), R"("kubernetes.io/legacy-token-last-used":"2025-12-31")");
  CHECK(cluster.authenticate(cluster.token()).used);
}

TEST_CASE("legacy token: why it is refused", "[auth]") {
  LegacyFixture cluster;
  CHECK(cluster.authenticate(cluster.token("")).error == "sub claim is missing");
  CHECK(cluster.authenticate(cluster.token("somebody")).error == "sub claim is invalid");
  CHECK(cluster.authenticate(cluster.token("system:serviceaccount:default:bot", "")).error ==
        "serviceAccountUID claim is missing");

  cluster.keep("another");
  CHECK(cluster.authenticate(cluster.token()).error == "Token does not match server's copy");
  const std::string old = cluster.token("system:serviceaccount:default:bot", "b0");
  cluster.keep(old);
  CHECK(cluster.authenticate(old).error == "ServiceAccount UID (b1) does not match claim (b0)");

  cluster.keep(cluster.token(), R"("kubernetes.io/legacy-token-invalid-since":"2025-01-01")");
  const Authenticated marked = cluster.authenticate(cluster.token());
  CHECK(marked.error ==
        "the token in secret default/key for service account default/bot has been marked invalid. "
        "Use tokens from the TokenRequest API or manually created secret-based tokens, or remove "
        "the 'kubernetes.io/legacy-token-invalid-since' label from the secret to temporarily allow "
        "use of this token");
  CHECK_FALSE(marked.user);
  CHECK(marked.used);

  cluster.keep(cluster.token());
  cluster.remove(kTokenOwners, "default", "bot");
  CHECK(cluster.authenticate(cluster.token()).error == "serviceaccounts \"bot\" not found");
  cluster.remove(kKeptTokens, "default", "key");
  CHECK(cluster.authenticate(cluster.token()).error == "Token has been invalidated");
}

TEST_CASE("legacy token: one that a controller has made is warned about", "[auth]") {
  LegacyFixture cluster;
  cluster.put(kTokenOwners, "default",
              R"({"metadata":{"name":"bot","uid":"b1"},"secrets":[{"name":"key"}]})");
  CHECK(cluster.authenticate(cluster.token()).warning ==
        "Use tokens from the TokenRequest API or manually created secret-based tokens instead of "
        "auto-generated secret-based tokens.");
}

}  // namespace
}  // namespace tabernetes::auth
