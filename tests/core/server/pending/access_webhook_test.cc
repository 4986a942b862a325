// Webhooks that decide who callers are and what they may do.
#include <catch2/catch_test_macros.hpp>

#include "../requests.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kKubeconfig =
    R"({"clusters":[{"name":"c","cluster":{"server":"https://hook.example/ask"}}],)"
    R"("contexts":[{"name":"c","context":{"cluster":"c"}}],"current-context":"c"})";

std::string configuration(std::string_view policy, std::string_view conditions = "[]",
                          std::string_view more = "") {
  return R"({"kind":"AuthorizationConfiguration","apiVersion":"apiserver.config.k8s.io/v1",)"
         R"("authorizers":[{"type":"Webhook","name":"w","webhook":{"timeout":"3s",)"
         R"("subjectAccessReviewVersion":"v1","matchConditionSubjectAccessReviewVersion":"v1",)"
         R"("connectionInfo":{"type":"KubeConfigFile","kubeConfigFile":"/hook"},)"
         R"("failurePolicy":")" +
         std::string(policy) + R"(","matchConditions":)" + std::string(conditions) + "}}" +
         std::string(more) + "]}";
}

struct Asked {
  explicit Asked(std::string_view authorization, bool tokens = false)
      : server(options(authorization, tokens)) {}

  static Options options(std::string_view authorization, bool tokens) {
    Options options;
    options.calls_webhooks = true;
    options.authorization_configuration = authorization;
    options.files = {{"/hook", std::string(kKubeconfig)}};
    options.token_file = "t,jane,7,\"staff\"\n";
    if (tokens) options.token_webhook = {.kubeconfig = "/hook", .version = "v1"};
    return options;
  }

  Pending begin(std::string_view method, std::string_view target, std::string_view token = "t",
                std::string_view body = {}) {
    auto pending = std::make_shared<std::unique_ptr<Response>>();
    Request request = request_of(method, target, body);
    request.headers.emplace_back("authorization", "Bearer " + std::string(token));
    server.handle(request, [pending](Response response) {
      *pending = std::make_unique<Response>(std::move(response));
    });
    return pending;
  }

  // Answers the only call; returns what was sent.
  std::string answer(std::string_view status) {
    WebhookAnswer given{.status = 200, .body = {}};
    given.body =
        R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","status":)" +
        std::string(status) + "}";
    return answer(given);
  }
  std::string answer(const WebhookAnswer& given) {
    const std::vector<WebhookCall> calls = server.take_webhook_calls();
    REQUIRE(calls.size() == 1);
    last = calls[0];
    server.answer_webhook(last.id, given);
    return last.body;
  }

  ApiServer server;
  WebhookCall last;
};

constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";

TEST_CASE("access webhooks: the review, and its three answers", "[server]") {
  Asked asked(configuration("NoOpinion"));
  const Pending allowed = asked.begin(
      "GET",
      "/api/v1/namespaces/n/pods?labelSelector=a+in+(b,c),!d&fieldSelector=spec.nodeName%3Dx");
  CHECK_FALSE(*allowed);
  CHECK(asked.answer(R"({"allowed":true})") ==
        R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","metadata":{},)"
        R"("spec":{"resourceAttributes":{"namespace":"n","verb":"list","version":"v1",)"
        R"("resource":"pods","fieldSelector":{"requirements":[{"key":"spec.nodeName",)"
        R"("operator":"In","values":["x"]}]},"labelSelector":{"requirements":[{"key":"a",)"
        R"("operator":"In","values":["b","c"]},{"key":"d","operator":"DoesNotExist"}]}},)"
        R"("user":"jane","groups":["staff","system:authenticated"],"uid":"7"},)"
        R"("status":{"allowed":false}})"
        "\n");
  CHECK(asked.last.url == "https://hook.example/ask?timeout=3s");
  REQUIRE(*allowed);
  CHECK((*allowed)->status == 200);

  const Pending denied = asked.begin("GET", kPods);
  asked.answer(R"({"allowed":false,"denied":true,"reason":"never <b>"})");
  CHECK(
      text_of(**denied).find(
          R"("message":"pods is forbidden: User \"jane\" cannot list resource \"pods\" in API group \"\" in the namespace \"default\": never \u003cb\u003e")") !=
      std::string::npos);
  CHECK((*denied)->status == 403);

  const Pending silent = asked.begin("GET", "/version");
  CHECK(asked.answer("{}").find(R"("nonResourceAttributes":{"path":"/version","verb":"get"})") !=
        std::string::npos);
  CHECK((*silent)->status == 403);
}

TEST_CASE("access webhooks: decisions are kept for their time by the cluster's clock", "[server]") {
  Asked asked(configuration("NoOpinion"));
  const auto status_of = [&](std::string_view answer) {
    const Pending pending = asked.begin("GET", kPods);
    const bool calls = !*pending;
    if (calls) asked.answer(answer);
    return std::to_string((*pending)->status) + (calls ? " asked" : "");
  };
  CHECK(status_of(R"({"allowed":true})") == "200 asked");
  CHECK(status_of("") == "200");
  asked.server.advance(asked.server.time() + Duration::from_seconds(299));
  CHECK(status_of("") == "200");
  asked.server.advance(asked.server.time() + Duration::from_seconds(1));
  CHECK(status_of("{}") == "403 asked");
  asked.server.advance(asked.server.time() + Duration::from_seconds(29));
  CHECK(status_of("") == "403");
  asked.server.advance(asked.server.time() + Duration::from_seconds(1));
  CHECK(status_of(R"({"allowed":true})") == "200 asked");
}

// A fault at any step refuses.
TEST_CASE("access webhooks: what fails does not allow", "[server]") {
  const std::vector<std::pair<WebhookAnswer, std::string>> faults = {
      {{.fault = Fault{"dial tcp: refused"}},
       "Post \\\"https://hook.example/ask?timeout=3s\\\": dial tcp: refused"},
      {{.status = 404, .body = "no"}, "the server could not find the requested resource"},
      {{.status = 200, .body = "{"}, "couldn't get version/kind"},
      {{.status = 200, .body = ""}, "0-length response"},
      {{.status = 200, .body = R"({"kind":"Pod","apiVersion":"v1"})"}, "Pod"},
      {{.status = 200,
        .body =
            R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","status":{"allowed":"true"}})"},
       "json: cannot unmarshal string into Go struct field SubjectAccessReview.status.allowed of "
       "type bool"},
  };
  for (const std::string_view policy : {"NoOpinion", "Deny"}) {
    for (const auto& [given, why] : faults) {
      Asked asked(configuration(policy));
      const Pending pending = asked.begin("POST", kPods, "t", "{}");
      asked.answer(given);
      REQUIRE(*pending);
      INFO(text_of(**pending));
      CHECK((*pending)->status == 500);
      CHECK(text_of(**pending).starts_with("500 Internal Server Error: \"/api/v1"));
    }
    // Time runs out.
    Asked asked(configuration(policy));
    const Pending pending = asked.begin("GET", kPods);
    asked.server.advance(asked.server.time() + Duration::from_seconds(3));
    REQUIRE(*pending);
    CHECK(text_of(**pending) ==
          "500 Internal Server Error: \"/api/v1/namespaces/default/pods\": Post "
          "\"https://hook.example/ask?timeout=3s\": context deadline exceeded (Client.Timeout "
          "exceeded while awaiting headers)\n");
  }
  Options options = Asked::options(configuration("NoOpinion"), false);
  options.calls_webhooks = false;
  ApiServer server(options);
  Request request = request_of("GET", kPods);
  request.headers.emplace_back("authorization", "Bearer t");
  Response answer;
  server.handle(request, [&](Response response) { answer = std::move(response); });
  CHECK(answer.status == 500);
  CHECK_FALSE(server.view()->answer(request, {}));  // views cannot ask
}

TEST_CASE("access webhooks: a server error is asked again, five times in all", "[server]") {
  Asked asked(configuration("NoOpinion"));
  const Pending pending = asked.begin("GET", kPods);
  for (int i = 0; i < 5; ++i) {
    REQUIRE_FALSE(*pending);
    asked.answer(WebhookAnswer{.status = 500, .body = {}});
    asked.server.advance(asked.server.time() + Duration::from_seconds(2));
  }
  REQUIRE(*pending);
  CHECK((*pending)->status == 500);
}

TEST_CASE("access webhooks: failurePolicy decides whether others are asked", "[server]") {
  const std::string_view rest = R"(,{"type":"AlwaysAllow","name":"alwaysallow"})";
  for (const bool denies : {false, true}) {
    Asked asked(configuration(denies ? "Deny" : "NoOpinion", "[]", rest));
    const Pending pending = asked.begin("GET", kPods);
    asked.answer(WebhookAnswer{.fault = Fault{"gone"}});
    CHECK((*pending)->status == (denies ? 500 : 200));
    // A denial ends it whatever the policy.
    const Pending refused = asked.begin("GET", "/version");
    asked.answer(R"({"denied":true})");
    CHECK((*refused)->status == 403);
    const Pending both = asked.begin("GET", "/livez");
    asked.answer(R"({"denied":true,"allowed":true})");
    CHECK(text_of(**both) ==
          "500 Internal Server Error: \"/livez\": webhook subject access review returned both "
          "allow and deny response\n");
  }
}

TEST_CASE("access webhooks: match conditions", "[server]") {
  const std::string conditions =
      R"j([{"expression":"request.user != 'jane' || has(request.resourceAttributes)"},)j"
      R"({"expression":"request.resourceAttributes.namespace != 'free'"}])";
  const std::string_view rest = R"(,{"type":"AlwaysAllow","name":"alwaysallow"})";
  Asked asked(configuration("Deny", conditions, rest));
  CHECK((*asked.begin("GET", "/version"))->status == 200);  // the first is false
  CHECK((*asked.begin("GET", "/api/v1/namespaces/free/pods"))->status == 200);
  CHECK_FALSE(*asked.begin("GET", kPods));
  asked.answer("{}");

  // A condition that fails, and none that is false.
  const std::string failing = R"([{"expression":"request.extra['a'][0] == 'b'"}])";
  const std::string why =
      "500 Internal Server Error: \"/version\": cel evaluation error: expression "
      "'request.extra['a'][0] == 'b'' resulted in error: no such key: a\n";
  Asked denying(configuration("Deny", failing, rest));
  CHECK(text_of(**denying.begin("GET", "/version")) == why);
  Asked opining(configuration("NoOpinion", failing, rest));
  CHECK((*opining.begin("GET", "/version"))->status == 200);
  Asked alone(configuration("NoOpinion", failing));
  CHECK(text_of(**alone.begin("GET", "/version")) == why);
}

TEST_CASE("access webhooks: access reviews ask too", "[server]") {
  Asked asked(configuration("NoOpinion"));
  const Pending pending = asked.begin(
      "POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", "t",
      R"({"spec":{"user":"joe","resourceAttributes":{"verb":"get","resource":"pods"}}})");
  asked.answer(R"({"allowed":true})");  // jane may ask
  REQUIRE_FALSE(*pending);
  CHECK(asked.answer(R"({"denied":true,"reason":"no"})").find(R"("user":"joe")") !=
        std::string::npos);
  CHECK(text_of(**pending).find(R"("status":{"allowed":false,"denied":true,"reason":"no"})") !=
        std::string::npos);
}

constexpr std::string_view kAllowAll =
    R"({"kind":"AuthorizationConfiguration","apiVersion":"apiserver.config.k8s.io/v1",)"
    R"("authorizers":[{"type":"AlwaysAllow","name":"alwaysallow"}]})";

TEST_CASE("token webhooks: who the caller is", "[server]") {
  const auto review = [](std::string_view status) {
    WebhookAnswer given{.status = 200, .body = {}};
    given.body = R"({"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","status":)" +
                 std::string(status) + "}";
    return given;
  };
  constexpr std::string_view kSelf = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  Asked asked(kAllowAll, true);
  const Pending joe = asked.begin("POST", kSelf, "open", "{}");
  CHECK(
      asked.answer(review(
          R"({"authenticated":true,"user":{"username":"joe","groups":["g"],"extra":{"a":["b"]}}})")) ==
      R"({"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","metadata":{},)"
      R"("spec":{"token":"open","audiences":["https://kubernetes.default.svc"]},)"
      R"("status":{"user":{}}})"
      "\n");
  CHECK(
      text_of(**joe).find(
          R"("userInfo":{"username":"joe","groups":["g","system:authenticated"],"extra":{"a":["b"]}})") !=
      std::string::npos);
  CHECK(*asked.begin("POST", kSelf, "open", "{}"));  // kept
  asked.server.advance(asked.server.time() + Duration::from_seconds(120));
  CHECK_FALSE(*asked.begin("POST", kSelf, "open", "{}"));
  asked.answer(review(R"({"authenticated":true,"user":{"username":"joe"}})"));

  // A token of the file needs nobody else.
  CHECK((*asked.begin("POST", kSelf, "t", "{}"))->status == 201);
  const std::vector<std::string_view> refusals = {
      "{}", R"({"authenticated":false,"error":"no"})", R"({"authenticated":"true"})",
      R"({"authenticated":true,"user":{"username":"joe"},"audiences":["other"]})"};
  int number = 0;
  for (const std::string_view refusal : refusals) {
    const Pending refused = asked.begin("POST", kSelf, "bad" + std::to_string(number++), "{}");
    asked.answer(review(refusal));
    CHECK((*refused)->status == 401);
  }
  const Pending lost = asked.begin("POST", kSelf, "worse", "{}");
  asked.answer(WebhookAnswer{.fault = Fault{"gone"}});
  CHECK((*lost)->status == 401);
}

}  // namespace
}  // namespace tabernetes::server
