// Admission webhooks, over a whole server; the test plays the webhooks.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "../watching.h"
#include "base/text/base64.h"
#include "base/time/rfc3339.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kMutating =
    "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
constexpr std::string_view kValidating =
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

std::string webhook(std::string_view name, std::string_view more = {}) {
  return R"({"name":")" + std::string(name) +
         R"(.example.com","clientConfig":{"url":"https://hooks.example.com/)" + std::string(name) +
         R"("},"rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE","DELETE"],)"
         R"("resources":["configmaps"]}],"sideEffects":"None","admissionReviewVersions":["v1"])" +
         std::string(more) + "}";
}

std::string configuration(std::string_view kind, const std::string& webhooks) {
  return R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":")" + std::string(kind) +
         R"(","metadata":{"name":"hooks"},"webhooks":[)" + webhooks + "]}";
}

std::string map_called(std::string_view name) {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + std::string(name) +
         R"("},"data":{"a":"1"}})";
}

std::string patch(std::string_view operations) {
  return R"("allowed":true,"patchType":"JSONPatch","patch":")" + base64_encode(operations) + "\"";
}

struct Admitting {
  Admitting() : server(options()) {}
  static Options options() {
    Options options;
    options.now = *parse_rfc3339("2026-01-01T00:00:00Z");
    options.seed = 7;
    options.calls_webhooks = true;
    return options;
  }

  void configure(std::string_view mutating, std::string_view validating) {
    if (!mutating.empty()) {
      REQUIRE(ask(server, "POST", kMutating,
                  configuration("MutatingWebhookConfiguration", std::string(mutating)))
                  .status == 201);
    }
    if (!validating.empty()) {
      REQUIRE(ask(server, "POST", kValidating,
                  configuration("ValidatingWebhookConfiguration", std::string(validating)))
                  .status == 201);
    }
  }

  void answer(const WebhookCall& call, std::string_view response) {
    server.answer_webhook(
        call.id, {{},
                  200,
                  R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{)"
                  R"("uid":")" +
                      std::string(text_after(call.body, "\"uid\":\"")) + R"(",)" +
                      std::string(response) + "}}"});
  }

  // Returns the only call that is to be made.
  WebhookCall call() {
    std::vector<WebhookCall> calls = server.take_webhook_calls();
    REQUIRE(calls.size() == 1);
    return calls[0];
  }

  ApiServer server;
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST_CASE("admission webhooks: a request waits for one mutating webhook after the other") {
  Admitting hooked;
  hooked.configure(webhook("one") + "," + webhook("two"), webhook("judge"));
  const Pending answer = begin(hooked.server, "POST", kMaps, map_called("m"));
  CHECK(*answer == nullptr);

  const WebhookCall one = hooked.call();
  CHECK(one.url == "https://hooks.example.com/one?timeout=10s");
  CHECK(contains(one.body, R"("operation":"CREATE")"));
  hooked.answer(one, patch(R"([{"op":"add","path":"/data/b","value":"2"}])"));

  const WebhookCall two = hooked.call();
  CHECK(contains(two.body, R"("data":{"a":"1","b":"2"})"));
  hooked.answer(two, R"("allowed":true)");

  const WebhookCall judge = hooked.call();
  CHECK(judge.url == "https://hooks.example.com/judge?timeout=10s");
  hooked.answer(judge, R"("allowed":true,"warnings":["mind the gap"])");
  REQUIRE(*answer != nullptr);
  CHECK((*answer)->status == 201);
  CHECK(contains((*answer)->body.flatten(), R"("data":{"a":"1","b":"2"})"));
  CHECK(find_header((*answer)->headers, "Warning") == "299 - \"mind the gap\"");
}

TEST_CASE("admission webhooks: validating ones are asked together, and the first denial counts") {
  Admitting hooked;
  hooked.configure({}, webhook("one") + "," + webhook("two"));
  const Pending answer = begin(hooked.server, "POST", kMaps, map_called("m"));
  const std::vector<WebhookCall> calls = hooked.server.take_webhook_calls();
  REQUIRE(calls.size() == 2);
  hooked.answer(calls[1], R"("allowed":false,"status":{"message":"late bird","code":409})");
  CHECK(*answer == nullptr);
  hooked.answer(calls[0], R"("allowed":false)");
  REQUIRE(*answer != nullptr);
  CHECK((*answer)->status == 409);
  CHECK(contains(
      (*answer)->body.flatten(),
      R"("message":"admission webhook \"two.example.com\" denied the request: late bird")"));
}

TEST_CASE("admission webhooks: a webhook that does not answer in time fails the request or not") {
  Admitting hooked;
  hooked.configure({}, webhook("strict", R"(,"timeoutSeconds":2)") + "," +
                           webhook("lax", R"(,"timeoutSeconds":1,"failurePolicy":"Ignore")"));
  const Pending answer = begin(hooked.server, "POST", kMaps, map_called("m"));
  CHECK(hooked.server.take_webhook_calls().size() == 2);
  hooked.server.advance(hooked.server.time() + Duration::from_seconds(1));
  CHECK(*answer == nullptr);
  hooked.server.advance(hooked.server.time() + Duration::from_seconds(1));
  REQUIRE(*answer != nullptr);
  CHECK((*answer)->status == 500);
  CHECK(contains((*answer)->body.flatten(),
                 R"(failed calling webhook \"strict.example.com\": failed to call webhook: Post )"
                 R"(\"https://hooks.example.com/strict?timeout=2s\": context deadline exceeded)"));
}

TEST_CASE("admission webhooks: the deletion of a collection asks about all before the first goes") {
  Admitting hooked;
  REQUIRE(ask(hooked.server, "POST", kMaps, map_called("a")).status == 201);
  REQUIRE(ask(hooked.server, "POST", kMaps, map_called("b")).status == 201);
  hooked.configure({}, webhook("judge"));
  const Pending answer = begin(hooked.server, "DELETE", kMaps);
  for (const std::string_view name : {"a", "b"}) {
    const WebhookCall call = hooked.call();
    CHECK(contains(call.body, R"("object":null,"oldObject":{"kind":"ConfigMap")"));
    CHECK(contains(call.body, R"("metadata":{"name":")" + std::string(name)));
    CHECK(contains(call.body, R"("dryRun":false)"));
    CHECK(ask(hooked.server, "GET", std::string(kMaps) + "/a").status == 200);
    hooked.answer(call, R"("allowed":true)");
  }
  REQUIRE(*answer != nullptr);
  CHECK((*answer)->status == 200);
  CHECK(ask(hooked.server, "GET", std::string(kMaps) + "/a").status == 404);
  CHECK(ask(hooked.server, "GET", std::string(kMaps) + "/b").status == 404);
}

TEST_CASE("admission webhooks: a patch that changes the kind fails the request") {
  Admitting hooked;
  hooked.configure(webhook("one"), {});
  const Pending answer = begin(hooked.server, "POST", kMaps, map_called("m"));
  hooked.answer(hooked.call(), patch(R"([{"op":"replace","path":"/kind","value":"Nothing"}])"));
  REQUIRE(*answer != nullptr);
  CHECK((*answer)->status == 500);
  CHECK(contains((*answer)->body.flatten(),
                 R"(no kind \"Nothing\" is registered for version \"v1\" in scheme)"));
}

TEST_CASE("admission webhooks: a review of access is reviewed like an object") {
  Admitting hooked;
  const std::string judge = webhook("judge");
  std::string rules = judge;
  rules.replace(rules.find(R"("apiGroups":[""])"), 16, R"("apiGroups":["*"])");
  rules.replace(rules.find(R"(["configmaps"])"), 14, R"(["*"])");
  hooked.configure({}, rules);
  const Pending answer =
      begin(hooked.server, "POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
            R"({"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview",)"
            R"("spec":{"resourceAttributes":{"verb":"get","resource":"pods"}}})");
  hooked.answer(hooked.call(), R"("allowed":false,"status":{"message":"no questions"})");
  REQUIRE(*answer != nullptr);
  CHECK((*answer)->status == 400);
  CHECK(contains((*answer)->body.flatten(), "denied the request: no questions"));
}

TEST_CASE("admission webhooks: one that changed its configuration is asked by the new one") {
  Admitting hooked;
  hooked.configure({}, webhook("judge"));
  REQUIRE(ask(hooked.server, "DELETE", std::string(kValidating) + "/hooks").status == 200);
  CHECK(ask(hooked.server, "POST", kMaps, map_called("m")).status == 201);
  CHECK(hooked.server.take_webhook_calls().empty());
}

}  // namespace
}  // namespace tabernetes::server
