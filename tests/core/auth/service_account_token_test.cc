#include "auth/service_account_token.h"

#include "../registry_fixture.h"
#include "base/text/base64.h"

namespace tabernetes::auth {
namespace {

using Authentications = std::vector<std::pair<std::string, std::vector<std::string>>>;

// A cluster with a service account `bot`, a pod and a secret of `default`, and a node. The time is
// 10,000 s.
class TokenFixture : public tests::RegistryFixture {
 public:
  TokenFixture() {
    now = Time::from_unix_milliseconds(10'000'000);
    put({"", "v1", "serviceaccounts"}, "default", R"({"metadata":{"name":"bot","uid":"b1"}})");
    put({"", "v1", "pods"}, "default", R"({"metadata":{"name":"web","uid":"p1"}})");
    put({"", "v1", "secrets"}, "default", R"({"metadata":{"name":"key","uid":"s1"}})");
    put({"", "v1", "nodes"}, "", R"({"metadata":{"name":"n","uid":"n1"}})");
  }

  Authenticated authenticate(std::string_view token,
                             const std::vector<std::string>& audiences = {std::string(kIssuer)},
                             const TokenFile& file = TokenFile("")) {
    const TokenAuthenticator context{issuer, file, registry.resources(), store.tree(), now};
    return context.authenticate(token, audiences);
  }
  std::string issue(std::string_view claims) {
    return issuer.issue(codec::read_json(arena.copy(claims), arena).value);
  }
  // Returns a token of `bot`; `more` is JSON of further claims of kubernetes.io.
  std::string token(std::string_view more = "", std::int64_t from = 9'000,
                    std::int64_t until = 11'000) {
    return issue(
        R"({"iss":"https://kubernetes.default.svc","aud":["https://kubernetes.default.svc"],)"
        R"("exp":)" +
        std::to_string(until) + R"(,"nbf":)" + std::to_string(from) +
        R"(,"jti":"j1","kubernetes.io":{"namespace":"default",)"
        R"("serviceaccount":{"name":"bot","uid":"b1"})" +
        std::string(more) + "}}");
  }

  TokenIssuer issuer{""};
};

TEST_CASE("service account token: who it authenticates, with what it is bound to", "[auth]") {
  TokenFixture cluster;
  const Authenticated known = cluster.authenticate(
      cluster.token(R"(,"pod":{"name":"web","uid":"p1"},"node":{"name":"n","uid":"n1"})"));
  CHECK(known.error == "");
  REQUIRE(known.user);
  CHECK(known.user->name == "system:serviceaccount:default:bot");
  CHECK(known.user->uid == "b1");
  CHECK(known.user->groups == std::vector<std::string>{"system:serviceaccounts",
                                                       "system:serviceaccounts:default",
                                                       "system:authenticated"});
  CHECK(known.user->extra ==
        Authentications{{"authentication.kubernetes.io/credential-id", {"JTI=j1"}},
                        {"authentication.kubernetes.io/node-name", {"n"}},
                        {"authentication.kubernetes.io/node-uid", {"n1"}},
                        {"authentication.kubernetes.io/pod-name", {"web"}},
                        {"authentication.kubernetes.io/pod-uid", {"p1"}}});
  CHECK(known.audiences == std::vector<std::string>{std::string(kIssuer)});
}

TEST_CASE("service account token: its time, with a minute of leeway", "[auth]") {
  struct Case {
    std::int64_t from, until;
    std::string_view error;
  };
  const Case cases[] = {
      {9'000, 11'000, ""},
      {10'060, 11'000, ""},
      {10'061, 11'000, "service account token is not valid yet"},
      {9'000, 9'940, ""},
      {9'000, 9'939, "service account token has expired"},
  };
  TokenFixture cluster;
  for (const Case& c : cases) {
    INFO(c.from << " " << c.until);
    const Authenticated known = cluster.authenticate(cluster.token("", c.from, c.until));
    CHECK(known.error == c.error);
    CHECK(known.user.has_value() == c.error.empty());
  }
}

TEST_CASE("service account token: valid while what it is bound to exists", "[auth]") {
  struct Case {
    std::string_view claims, error;
  };
  static constexpr std::string_view kGone = "service account token has been invalidated";
  const Case cases[] = {
      {R"(,"secret":{"name":"key","uid":"s1"})", ""},
      {R"(,"secret":{"name":"no","uid":"s1"})", kGone},
      {R"(,"secret":{"name":"key","uid":"s0"})",
       "secret UID (s1) does not match service account secret ref claim (s0)"},
      {R"(,"pod":{"name":"web","uid":"p1"})", ""},
      {R"(,"pod":{"name":"no","uid":"p1"})", kGone},
      {R"(,"pod":{"name":"web","uid":"p0"})",
       "pod UID (p1) does not match service account pod ref claim (p0)"},
      {R"(,"node":{"name":"n","uid":"n1"})", ""},
      {R"(,"node":{"name":"no","uid":"n1"})", kGone},
      {R"(,"node":{"name":"n","uid":"n0"})",
       "node UID (n1) does not match service account node ref claim (n0)"},
      // The node of a pod is only told.
      {R"(,"pod":{"name":"web","uid":"p1"},"node":{"name":"no","uid":"n0"})", ""},
  };
  TokenFixture cluster;
  for (const Case& c : cases) {
    INFO(c.claims);
    const Authenticated known = cluster.authenticate(cluster.token(c.claims));
    CHECK(known.error == c.error);
    CHECK(known.user.has_value() == c.error.empty());
  }
}

TEST_CASE("service account token: valid while its account is the same one", "[auth]") {
  TokenFixture cluster;
  const tests::RegistryFixture::Resource accounts{"", "v1", "serviceaccounts"};
  const std::string token = cluster.token();
  // A deleted account that finalizers hold counts for a minute more.
  cluster.put(accounts, "default",
              R"({"metadata":{"name":"bot","uid":"b1","finalizers":["x/y"],)"
              R"("deletionTimestamp":"1970-01-01T02:45:40Z"}})");
  CHECK(cluster.authenticate(token).error == "");
  cluster.now = cluster.now + Duration::from_seconds(1);
  CHECK(cluster.authenticate(token).error == "service account default/bot has been deleted");

  cluster.put(accounts, "default", R"({"metadata":{"name":"bot","uid":"b2"}})");
  CHECK(cluster.authenticate(token).error == "service account UID (b2) does not match claim (b1)");
  cluster.remove(accounts, "default", "bot");
  CHECK(cluster.authenticate(token).error == R"(serviceaccounts "bot" not found)");
}

TEST_CASE("service account token: a bound object counts for a minute after its deletion",
          "[auth]") {
  TokenFixture cluster;
  const std::string token = cluster.token(R"(,"pod":{"name":"web","uid":"p1"})");
  cluster.put({"", "v1", "pods"}, "default",
              R"({"metadata":{"name":"web","uid":"p1","deletionGracePeriodSeconds":30,)"
              R"("deletionTimestamp":"1970-01-01T02:45:40Z"}})");
  CHECK(cluster.authenticate(token).error == "");
  cluster.now = cluster.now + Duration::from_seconds(1);
  CHECK(cluster.authenticate(token).error == "service account token has been invalidated");
}

TEST_CASE("service account token: for the audiences that it names", "[auth]") {
  TokenFixture cluster;
  const std::string all =
      cluster.issue(R"({"iss":"https://kubernetes.default.svc","aud":["a","b"],"exp":11000,)"
                    R"("kubernetes.io":{"namespace":"default",)"
                    R"("serviceaccount":{"name":"bot","uid":"b1"}}})");
  CHECK(cluster.authenticate(all, {"b", "c"}).audiences == std::vector<std::string>{"b"});
  CHECK(cluster.authenticate(all, {"b", "a"}).audiences == std::vector<std::string>{"a", "b"});
  const Authenticated other = cluster.authenticate(all, {"c", "d"});
  CHECK_FALSE(other.user);
  CHECK(other.error ==
        R"(token audiences ["a" "b"] is invalid for the target audiences ["c" "d"])");

  // One audience may be a string.
  const std::string one =
      cluster.issue(R"({"iss":"https://kubernetes.default.svc","aud":"a","exp":11000,)"
                    R"("kubernetes.io":{"namespace":"default",)"
                    R"("serviceaccount":{"name":"bot","uid":"b1"}}})");
  CHECK(cluster.authenticate(one, {"a"}).user.has_value());
  const std::string none =
      cluster.issue(R"({"iss":"https://kubernetes.default.svc","aud":7,"exp":11000})");
  CHECK(cluster.authenticate(none, {"a"}).error ==
        R"(token audiences [] is invalid for the target audiences ["a"])");
}

TEST_CASE("service account token: what is none of ours has no error", "[auth]") {
  TokenFixture cluster;
  const std::string foreign = cluster.issue(R"({"iss":"https://elsewhere","aud":["a"]})");
  const std::string unsigned_list = "e30." + base64url_encode("[1]") + ".x";
  for (const std::string& token :
       {std::string(), std::string("x"), std::string(".."), std::string("a.b"),
        std::string("a.b.c.d"), std::string("!.!.!"), unsigned_list, foreign}) {
    INFO(token);
    const Authenticated known = cluster.authenticate(token);
    CHECK_FALSE(known.user);
    CHECK(known.error == "");
  }
}

TEST_CASE("service account token: a forged one is told apart from a foreign one", "[auth]") {
  TokenFixture cluster;
  const std::string token = cluster.token();
  const std::string forged = token.substr(0, token.rfind('.') + 1) + base64url_encode("signature");
  const Authenticated known = cluster.authenticate(forged);
  CHECK_FALSE(known.user);
  CHECK(known.error == "go-jose/go-jose: error in cryptographic primitive");
}

TEST_CASE("tokens: those of a file are for the server alone", "[auth]") {
  TokenFixture cluster;
  const TokenFile file("secret,anna,u1,staff\na.b.c,bert,u2");
  const Authenticated anna = cluster.authenticate("secret", {std::string(kIssuer), "x"}, file);
  REQUIRE(anna.user);
  CHECK(anna.user->name == "anna");
  CHECK(anna.user->groups == std::vector<std::string>{"staff", "system:authenticated"});
  CHECK(anna.audiences == std::vector<std::string>{std::string(kIssuer)});
  CHECK_FALSE(cluster.authenticate("secret", {"x"}, file).user);
  CHECK_FALSE(cluster.authenticate("secre", {std::string(kIssuer)}, file).user);
  // The file comes before all other tokens.
  CHECK(cluster.authenticate("a.b.c", {std::string(kIssuer)}, file).user->name == "bert");
}

}  // namespace
}  // namespace tabernetes::auth
