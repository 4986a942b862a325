#include "auth/reviews.h"

#include "role_fixture.h"

namespace tabernetes::auth {
namespace {

constexpr std::string_view kAccess = "authorization.k8s.io";
constexpr std::string_view kIdentity = "authentication.k8s.io";

// A cluster where anna may read pods of `default`; she asks.
class ReviewFixture : public RoleFixture {
 public:
  ReviewFixture() {
    put(kRoleBindings, "default", binding_text("pods", "ClusterRole/reader", kAnna));
    anna.uid = "u1";
    anna.extra = {{"shift", {"early", "late"}}};
    now = Time::from_unix_milliseconds(60'000);
  }
  // Returns a member of the answer as JSON, or the error message.
  std::string answer(const Resource& resource, std::string_view ns, std::string_view text,
                     std::string_view member = "status") {
    const registry::ResourceType& type = type_of(resource);
    const codec::JsonRead read = codec::read_json(arena.copy(text), arena);
    REQUIRE(read.ok());
    json::Value review =
        type.behaviour->decode(read.value, arena, registry::DecodeFor::kObject).value;
    if (const auto filled = fill_review(type, ns, review, arena); !filled) {
      return filled.error().message;
    }
    const auto current = grants();
    const TokenFile file("secret,bert,u2,staff");
    const TokenAuthenticator tokens{issuer, file, registry.resources(), store.tree(), now};
    const auto answered = answer_review({arena, now, anna, *current, tokens}, type, review);
    if (!answered) return answered.error().message;
    const json::Value* value = answered->find(member);
    return value == nullptr ? std::string() : tests::json_text(*value);
  }

  User anna = user_called("anna", {"staff"});
  TokenIssuer issuer{""};
};

TEST_CASE("reviews: which kinds are reviews", "[auth]") {
  ReviewFixture cluster;
  CHECK(is_review(cluster.type_of({kAccess, "v1", "subjectaccessreviews"})));
  CHECK(is_review(cluster.type_of({kIdentity, "v1", "selfsubjectreviews"})));
  CHECK_FALSE(is_review(cluster.type_of({"", "v1", "pods"})));
  CHECK_FALSE(is_review(cluster.type_of(kRoles)));
}

TEST_CASE("reviews: access of somebody, of the user, and in a namespace", "[auth]") {
  ReviewFixture cluster;
  const std::string allowed =
      R"({"allowed":true,"reason":"RBAC: allowed by RoleBinding \"pods/default\" of ClusterRole )"
      R"(\"reader\" to User \"anna\""})";
  const std::string_view get =
      R"("resourceAttributes":{"verb":"get","resource":"pods","namespace":"default"})";
  const auto spec = [&](std::string_view user) {
    return R"({"spec":{)" + std::string(user) + std::string(get) + "}}";
  };
  CHECK(cluster.answer({kAccess, "v1", "subjectaccessreviews"}, "", spec(R"("user":"anna",)")) ==
        allowed);
  CHECK(cluster.answer({kAccess, "v1", "subjectaccessreviews"}, "", spec(R"("user":"bert",)")) ==
        R"({"allowed":false})");
  CHECK(cluster.answer({kAccess, "v1", "selfsubjectaccessreviews"}, "", spec("")) == allowed);
  CHECK(cluster.answer({kAccess, "v1", "localsubjectaccessreviews"}, "default",
                       spec(R"("user":"anna",)")) == allowed);
  CHECK(cluster.answer({kAccess, "v1", "localsubjectaccessreviews"}, "other",
                       spec(R"("user":"anna",)")) ==
        R"(.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: )"
        R"("default": must match metadata.namespace)");
}

TEST_CASE("reviews: selectors that are not understood are told", "[auth]") {
  ReviewFixture cluster;
  CHECK(cluster.answer({kAccess, "v1", "selfsubjectaccessreviews"}, "",
                       R"({"spec":{"resourceAttributes":{"verb":"get","resource":"nodes",)"
                       R"("labelSelector":{"rawSelector":"a in"}}}})") ==
        R"({"allowed":false,"evaluationError":)"
        R"("spec.resourceAttributes.labelSelector ignored due to parse error"})");
}

TEST_CASE("reviews: the rules of the user in a namespace", "[auth]") {
  ReviewFixture cluster;
  const tests::RegistryFixture::Resource rules{kAccess, "v1", "selfsubjectrulesreviews"};
  CHECK(cluster.answer(rules, "", R"({"spec":{"namespace":"default"}})") ==
        R"({"resourceRules":[)" + std::string(kReadPods) +
            R"(],"nonResourceRules":[],"incomplete":false})");
  CHECK(cluster.answer(rules, "", R"({"spec":{"namespace":"default"}})", "spec") == "{}");
  CHECK(cluster.answer(rules, "", R"({"spec":{}})") == "no namespace on request");
}

TEST_CASE("reviews: the user itself, and when", "[auth]") {
  ReviewFixture cluster;
  const tests::RegistryFixture::Resource self{kIdentity, "v1", "selfsubjectreviews"};
  CHECK(cluster.answer(self, "", R"({"metadata":{"name":"x","labels":{"a":"b"}}})") ==
        R"({"userInfo":{"username":"anna","uid":"u1","groups":["staff"],)"
        R"("extra":{"shift":["early","late"]}}})");
  CHECK(cluster.answer(self, "", "{}", "metadata") ==
        R"({"creationTimestamp":"1970-01-01T00:01:00Z"})");
}

TEST_CASE("reviews: whose a token is", "[auth]") {
  ReviewFixture cluster;
  const tests::RegistryFixture::Resource tokens{kIdentity, "v1", "tokenreviews"};
  struct Case {
    std::string_view spec, answer;
  };
  const Case cases[] = {
      {R"({"token":"secret"})", R"({"authenticated":true,"user":{"username":"bert","uid":"u2",)"
                                R"("groups":["staff","system:authenticated"]},)"
                                R"("audiences":["https://kubernetes.default.svc"]})"},
      {R"({"token":"secret","audiences":["x"]})", R"({"user":{},"error":"invalid bearer token"})"},
      {R"({"token":"x"})", R"({"user":{},"error":"invalid bearer token"})"},
      // Of our issuer, with a signature that is not.
      {R"({"token":"e30.eyJpc3MiOiJodHRwczovL2t1YmVybmV0ZXMuZGVmYXVsdC5zdmMifQ.x"})",
       R"({"user":{},"error":"[invalid bearer token, )"
       R"(go-jose/go-jose: error in cryptographic primitive]"})"},
      {R"({"token":""})", "token is required for TokenReview in authentication"},
  };
  for (const Case& c : cases) {
    INFO(c.spec);
    CHECK(cluster.answer(tokens, "", R"({"spec":)" + std::string(c.spec) + "}") == c.answer);
  }
}

TEST_CASE("reviews: what the server sets is cleared, the namespace is the request's", "[auth]") {
  ReviewFixture cluster;
  const tests::RegistryFixture::Resource local{kAccess, "v1", "localsubjectaccessreviews"};
  const auto metadata = [&](std::string_view given) {
    return cluster.answer(local, "default",
                          R"({"metadata":)" + std::string(given) +
                              R"(,"spec":{"user":"anna","resourceAttributes":)"
                              R"({"verb":"get","resource":"pods","namespace":"default"}}})",
                          "metadata");
  };
  CHECK(metadata(R"({"uid":"u","creationTimestamp":"2026-01-01T00:00:00Z"})") ==
        R"({"namespace":"default"})");
  CHECK(metadata(R"({"namespace":"other"})") ==
        "the namespace of the provided object does not match the namespace sent on the request");
  CHECK(metadata(R"({"name":"x"})") ==
        R"(.authorization.k8s.io "" is invalid: metadata: Invalid value: )"
        R"({"name":"x","namespace":"default"}: must be empty except for namespace)");
}

}  // namespace
}  // namespace tabernetes::auth
