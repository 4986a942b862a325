// Custom resources with a conversion webhook, over a whole server; the test plays the webhook. The
// messages are a real server's.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>
#include <vector>

#include "../watching.h"
#include "base/time/rfc3339.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kDefinition = R"({"apiVersion":"apiextensions.k8s.io/v1",
"kind":"CustomResourceDefinition","metadata":{"name":"hooks.example.com"},"spec":{"group":"example.com",
"scope":"Namespaced","names":{"plural":"hooks","kind":"Hook"},"conversion":{"strategy":"Webhook","webhook":{
"conversionReviewVersions":["v1"],"clientConfig":{"service":{"namespace":"default","name":"hook","path":"/convert"}}}},
"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":
{"spec":{"type":"object","properties":{"host":{"type":"string"},"port":{"type":"string","default":"80"}}}}}}},
{"name":"v1beta1","served":true,"storage":false,"selectableFields":[{"jsonPath":".spec.hostPort"}],
"schema":{"openAPIV3Schema":{"type":"object","properties":
{"spec":{"type":"object","properties":{"hostPort":{"type":"string"}}}}}}}]}})";

constexpr std::string_view kV1 = "/apis/example.com/v1/namespaces/default/hooks";
constexpr std::string_view kBeta = "/apis/example.com/v1beta1/namespaces/default/hooks";

std::string path(std::string_view collection, std::string_view name) {
  return std::string(collection) + "/" + std::string(name);
}

std::string object(std::string_view version, std::string_view name, std::string_view spec) {
  return R"({"apiVersion":"example.com/)" + std::string(version) +
         R"(","kind":"Hook","metadata":{"name":")" + std::string(name) + R"("},"spec":{)" +
         std::string(spec) + "}}";
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// Returns the webhook's conversion: `"host":"h","port":"1"` to `"hostPort":"h:1"`, and the label
// tier=x to tier=x-two.
std::string converted(const WebhookCall& call) {
  const std::size_t begin = call.body.find("\"objects\":[") + 10;
  std::string objects = call.body.substr(begin, call.body.rfind("},\"response\"") - begin);
  const std::string_view wanted = text_after(call.body, "\"desiredAPIVersion\":\"");
  const bool to_v1 = wanted == "example.com/v1";
  replace_all(objects,
              to_v1 ? "{\"apiVersion\":\"example.com/v1beta1\",\"kind\""
                    : "{\"apiVersion\":\"example.com/v1\",\"kind\"",
              "{\"apiVersion\":\"" + std::string(wanted) + "\",\"kind\"");
  static constexpr std::string_view kTier = R"("tier":"x")", kTierTwo = R"("tier":"x-two")";
  replace_all(objects, to_v1 ? kTierTwo : kTier, to_v1 ? kTier : kTierTwo);
  if (to_v1) {
    replace_all(objects, "\"hostPort\":\"", "\"host\":\"");
    std::size_t at = objects.find("\"host\":\"");
    for (; at != std::string::npos; at = objects.find("\"host\":\"", at + 1)) {
      const std::size_t colon = objects.find(':', at + 8);
      objects.replace(colon, 1, "\",\"port\":\"");
    }
  } else {
    replace_all(objects, "\"host\":\"", "\"hostPort\":\"");
    replace_all(objects, "\",\"port\":\"", ":");
  }
  return objects;
}

std::string review(const WebhookCall& call, const std::string& objects) {
  return R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":{"uid":")" +
         std::string(text_after(call.body, "\"uid\":\"")) +
         R"(","result":{"status":"Success"},"convertedObjects":)" + objects + "}}";
}

struct Hooked {
  Hooked() : server(options()) {
    REQUIRE(
        ask(server, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kDefinition)
            .status == 201);
    server.advance(server.time() + Duration::from_seconds(10));
  }
  static Options options() {
    Options options;
    options.now = *parse_rfc3339("2026-01-01T00:00:00Z");
    options.seed = 7;
    options.calls_webhooks = true;
    options.controllers = {"garbage-collector-controller", "namespace-controller"};
    return options;
  }

  // Answers all calls like a working webhook.
  int convert() {
    int made = 0;
    for (auto due = server.take_webhook_calls(); !due.empty(); due = server.take_webhook_calls()) {
      for (const WebhookCall& call : due) {
        ++made;
        last = call;
        server.answer_webhook(call.id, {{}, 200, review(call, converted(call))});
      }
    }
    return made;
  }
  // Returns the answer to a request after answering all calls.
  std::string settled(std::string_view method, std::string_view target,
                      std::string_view body = {}) {
    const Pending answer = begin(server, method, target, body);
    calls = convert();
    REQUIRE(*answer != nullptr);
    return text_of(**answer);
  }
  // Returns the answer to a request for `a` whose single call is answered with this.
  std::string get_when(const WebhookAnswer& answer) {
    const Pending pending = begin(server, "GET", path(kBeta, "a"));
    CHECK(*pending == nullptr);
    const std::vector<WebhookCall> made = server.take_webhook_calls();
    REQUIRE(made.size() == 1);
    last = made[0];
    server.answer_webhook(last.id, answer);
    REQUIRE(*pending != nullptr);
    return text_of(**pending);
  }

  ApiServer server;
  WebhookCall last;
  int calls = 0;
};

std::string failure(std::string_view message, int code = 500, std::string_view more = {}) {
  return std::to_string(code) +
         R"( {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":")" +
         std::string(message) + "\"," + std::string(more) + "\"code\":" + std::to_string(code) +
         "}\n";
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("conversion webhook: is asked for what is stored in another version", "[server]") {
  Hooked hooked;
  CHECK(has(hooked.settled("POST", kV1, object("v1", "a", R"("host":"h","port":"1")")),
            R"("spec":{"host":"h","port":"1"})"));
  CHECK(hooked.calls == 0);
  const std::string shown = hooked.settled("GET", path(kBeta, "a"));
  CHECK(hooked.calls == 1);
  CHECK(has(shown, R"({"apiVersion":"example.com/v1beta1","kind":"Hook")"));
  CHECK(has(shown, R"("spec":{"hostPort":"h:1"})"));
  CHECK(has(shown, R"("resourceVersion":")"));
  CHECK(hooked.last.url == "https://hook.default.svc:443/convert?timeout=30s");
  CHECK(hooked.last.body.starts_with(
      R"({"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":")"));
  CHECK(has(
      hooked.last.body,
      R"("desiredAPIVersion":"example.com/v1beta1","objects":[{"apiVersion":"example.com/v1",)"));
  CHECK(!has(hooked.last.body, "resourceVersion"));
  CHECK(hooked.last.body.ends_with(
      R"("response":{"uid":"","convertedObjects":null,"result":{"metadata":{}}}})"));
}

TEST_CASE("conversion webhook: every verb in a version that is not stored", "[server]") {
  Hooked hooked;
  const std::string created =
      hooked.settled("POST", kBeta, object("v1beta1", "a", R"("hostPort":"x:2")"));
  CHECK(created.starts_with("201 "));
  CHECK(has(created, R"("spec":{"hostPort":"x:2"})"));
  CHECK(hooked.calls == 2);  // to the storage version, and back for the answer
  CHECK(has(hooked.settled("GET", path(kV1, "a")), R"("spec":{"host":"x","port":"2"})"));
  CHECK(has(created, text_after(hooked.settled("GET", path(kV1, "a")), "\"uid\":\"")));

  std::string put = hooked.settled("GET", path(kBeta, "a")).substr(4);
  replace_all(put, "x:2", "y:3");
  CHECK(has(hooked.settled("PUT", path(kBeta, "a"), put), R"("generation":2)"));
  CHECK(has(hooked.settled("GET", path(kV1, "a")), R"("spec":{"host":"y","port":"3"})"));

  Request patch = request_of("PATCH", path(kBeta, "a"), R"({"spec":{"hostPort":"z:4"}})");
  patch.headers = {{"content-type", "application/merge-patch+json"}};
  std::string patched;
  hooked.server.handle(std::move(patch), [&](Response answer) { patched = text_of(answer); });
  hooked.convert();
  CHECK(has(patched, R"("spec":{"hostPort":"z:4"})"));
  CHECK(has(hooked.settled("GET", path(kV1, "a")), R"("spec":{"host":"z","port":"4"})"));

  CHECK(hooked.settled("DELETE", path(kBeta, "a")).starts_with("200 "));
  CHECK(hooked.settled("GET", path(kBeta, "a")).starts_with("404 "));
}

TEST_CASE("conversion webhook: a list is one review", "[server]") {
  Hooked hooked;
  for (const char* name : {"a", "b", "c"}) {
    hooked.settled("POST", kV1, object("v1", name, R"("host":"h","port":"1")"));
  }
  const std::string list = hooked.settled("GET", kBeta);
  CHECK(hooked.calls == 1);
  CHECK(has(list, R"("name":"c")"));
  CHECK(has(list, R"("spec":{"hostPort":"h:1"})"));
  CHECK(!has(list, R"("host":)"));
  CHECK(!has(hooked.settled("GET", std::string(kBeta) + "?fieldSelector=spec.hostPort%3Dother"),
             R"("name")"));
  CHECK(has(hooked.settled("GET", std::string(kBeta) + "?fieldSelector=spec.hostPort%3Dh:1"),
            R"("name":"b")"));
  hooked.settled("DELETE", kBeta);
  CHECK(hooked.calls == 1);
  CHECK(!has(hooked.settled("GET", kV1), R"("name")"));
}

// As a kube-apiserver 1.36.3 does.
TEST_CASE("conversion webhook: selectors see what is shown, counts what is stored", "[server]") {
  Hooked hooked;
  const auto make = [&](std::string_view name, std::string_view tier) {
    std::string text = object("v1", name, R"("host":"h","port":"1")");
    replace_all(text, R"("},"spec")",
                R"(","labels":{"tier":")" + std::string(tier) + R"("}},"spec")");
    REQUIRE(hooked.settled("POST", kV1, text).starts_with("201 "));
  };
  make("a", "y");
  for (const char* name : {"b", "c", "d"}) make(name, "x");
  const auto names = [&](std::string_view collection, std::string_view query) {
    const std::string list = hooked.settled("GET", std::string(collection) + std::string(query));
    std::string found;
    for (const char* name : {"a", "b", "c", "d"}) {
      if (has(list, "\"name\":\"" + std::string(name) + "\"")) found += name;
    }
    if (has(list, "\"continue\":\"ey")) found += "+";
    if (has(list, "remainingItemCount")) {
      found += list[list.find("remainingItemCount") + 20];
    }
    return found;
  };
  CHECK(names(kV1, "?labelSelector=tier%3Dx") == "bcd");
  CHECK(names(kV1, "?labelSelector=tier%3Dx-two").empty());
  CHECK(names(kBeta, "?labelSelector=tier%3Dx").empty());
  CHECK(names(kBeta, "?labelSelector=tier%3Dx-two") == "bcd");
  CHECK(names(kBeta, "?labelSelector=tier%3Dx-two&limit=1") == "b+");
  CHECK(names(kBeta, "?labelSelector=tier%3Dx-two&resourceVersion=0") == "bcd");
  CHECK(names(kBeta, "?limit=1") == "a+3");
  CHECK(names(kBeta, "?labelSelector=tier!%3Dx-two") == "a");

  TestWatch watch(hooked.server, std::string(kBeta) + "?watch=true&labelSelector=tier%3Dx-two");
  hooked.convert();
  CHECK(!has(watch.read(), R"("name":"a")"));
  Request patch = request_of("PATCH", path(kV1, "a"), R"({"metadata":{"labels":{"tier":"x"}}})");
  patch.headers = {{"content-type", "application/merge-patch+json"}};
  hooked.server.handle(std::move(patch), [](const Response&) {});
  hooked.convert();
  CHECK(watch.read().starts_with(
      R"({"type":"ADDED","object":{"apiVersion":"example.com/v1beta1","kind":"Hook")"));

  hooked.settled("DELETE", std::string(kBeta) + "?labelSelector=tier%3Dx");
  CHECK(names(kV1, "") == "abcd");
  hooked.settled("DELETE", std::string(kBeta) + "?labelSelector=tier%3Dx-two");
  CHECK(names(kV1, "").empty());
}

TEST_CASE("conversion webhook: others go on while a request waits, which then sees what they did",
          "[server]") {
  Hooked hooked;
  hooked.settled("POST", kV1, object("v1", "a", R"("host":"h","port":"1")"));
  Request patch = request_of("PATCH", path(kBeta, "a"), R"({"metadata":{"labels":{"l":"1"}}})");
  patch.headers = {{"content-type", "application/merge-patch+json"}};
  std::string patched;
  hooked.server.handle(std::move(patch), [&](Response answer) { patched = text_of(answer); });
  CHECK(patched.empty());
  Request other = request_of("PATCH", path(kV1, "a"), R"({"spec":{"host":"new"}})");
  other.headers = {{"content-type", "application/merge-patch+json"}};
  hooked.server.handle(std::move(other), [](Response) {});
  hooked.convert();
  CHECK(has(patched, R"("spec":{"hostPort":"new:1"})"));
  const std::string stored = hooked.settled("GET", path(kV1, "a"));
  CHECK(has(stored, R"("labels":{"l":"1"})"));
  CHECK(has(stored, R"("spec":{"host":"new","port":"1"})"));
}

TEST_CASE("conversion webhook: what it gets wrong", "[server]") {
  Hooked hooked;
  hooked.settled("POST", kV1, object("v1", "a", R"("host":"h","port":"1")"));
  const std::string prefix = "conversion webhook for example.com/v1, Kind=Hook ";
  const std::string url = R"(Post \"https://hook.default.svc:443/convert?timeout=30s\": )";
  CHECK(hooked.get_when({.fault = Fault{"service \"hook\" not found"}}) ==
        failure(prefix + "failed: " + url + R"(service \"hook\" not found)"));
  CHECK(hooked.get_when({{}, 404, "404 page not found\n"}) ==
        failure(prefix + "failed: the server could not find the requested resource"));
  CHECK(hooked.get_when({{}, 500, "oh no\n"}) ==
        failure(prefix + R"(failed: an error on the server (\"oh no\") has prevented the request )"
                         "from succeeding"));
  // For a status known to client-go the body is ignored.
  CHECK(hooked.get_when({{}, 503, "oh no\n"}) ==
        failure(prefix + "failed: the server is currently unable to handle the request"));
  CHECK(hooked.get_when({{}, 403, "no\n"}) == failure(prefix + "failed: no"));
  CHECK(hooked.get_when({{}, 500, R"({"error":"x"})"}) ==
        failure(prefix +
                R"(failed: an error on the server (\"unknown\") has prevented the request )"
                "from succeeding"));
  CHECK(hooked.get_when({{}, 302, ""}) ==
        failure(prefix + "failed: the server responded with the status code 302 but did not return "
                         "more information"));
  CHECK(hooked.get_when({Fault{"unexpected EOF"}, 200, ""}) ==
        failure(prefix + "failed: unexpected error when reading response body. Please retry. "
                         "Original error: unexpected EOF"));
  CHECK(hooked.get_when({{}, 200, ""}) ==
        failure(prefix + "failed: 0-length response with status code: 200 and content type: "
                         "application/json"));
  CHECK(hooked.get_when({{}, 200, "{}"}) ==
        failure(prefix + "failed: expected webhook response of apiextensions.k8s.io/v1, "
                         "Kind=ConversionReview, got /, Kind="));
  const std::string head = R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview")";
  CHECK(hooked.get_when({{}, 200, head + "}"}) == failure(prefix + "failed: no response provided"));
  CHECK(hooked.get_when(
            {{}, 200, R"({"apiVersion":"apiextensions.k8s.io/v2","kind":"ConversionReview"})"}) ==
        failure(prefix + R"(failed: no kind \"ConversionReview\" is registered for version )"
                         R"(\"apiextensions.k8s.io/v2\" in scheme \"pkg/runtime/scheme.go:111\")"));
  const std::string other_uid = hooked.get_when({{}, 200, head + R"(,"response":{"uid":"x"}})"});
  CHECK(other_uid ==
        failure(prefix + R"(failed: expected response.uid=\")" +
                std::string(text_after(hooked.last.body, "\"uid\":\"")) + R"(\", got \"x\")"));
}

TEST_CASE("conversion webhook: where its service is", "[server]") {
  Hooked hooked;
  hooked.settled("POST", kV1, object("v1", "a", R"("host":"h","port":"1")"));
  const auto called = [&] {
    (void)hooked.get_when({.fault = Fault{"EOF"}});
    REQUIRE(hooked.last.service);
    CHECK(hooked.last.service->name == "hook.default:443");
    const Expected<std::string>& address = hooked.last.service->address;
    return address ? *address : address.fault().message;
  };
  // Runs with the service as modified by `spec`.
  const auto with = [&](std::string_view spec) {
    const std::string services = "/api/v1/namespaces/default/services";
    ask(hooked.server, "DELETE", services + "/hook");
    REQUIRE(ask(hooked.server, "POST", services,
                R"({"metadata":{"name":"hook"},"spec":{)" + std::string(spec) + "}}")
                .status == 201);
    return called();
  };
  CHECK(called() == R"(service "hook" not found)");
  CHECK(with(R"("type":"ExternalName","externalName":"localhost")") == "localhost:443");
  CHECK(with(R"("clusterIP":"None","ports":[{"port":443}])") ==
        R"(cannot route to service with ClusterIP "None")");
  CHECK(with(R"("ports":[{"port":444}])") == R"(no service port 443 found for service "hook")");
  CHECK(
      with(R"("clusterIP":"10.96.7.7","ports":[{"port":80,"name":"a"},{"port":443,"name":"b"}])") ==
      "dial tcp 10.96.7.7:443: connect: connection refused");
}

TEST_CASE("conversion webhook: objects that it may not give", "[server]") {
  Hooked hooked;
  hooked.settled("POST", kV1, object("v1", "a", R"("host":"h","port":"1")"));
  const std::string prefix = "conversion webhook for example.com/v1, Kind=Hook returned ";
  // `change` modifies the answer of a working webhook.
  const auto get_with = [&](auto change) {
    const Pending pending = begin(hooked.server, "GET", path(kBeta, "a"));
    const std::vector<WebhookCall> made = hooked.server.take_webhook_calls();
    REQUIRE(made.size() == 1);
    std::string objects = converted(made[0]);
    change(objects);
    hooked.server.answer_webhook(made[0].id, {{}, 200, review(made[0], objects)});
    REQUIRE(*pending != nullptr);
    return text_of(**pending);
  };
  const auto with = [&](std::string_view from, std::string_view to) {
    return get_with([&](std::string& objects) { replace_all(objects, from, to); });
  };
  CHECK(get_with([](std::string& objects) { objects = "null"; }) ==
        failure(prefix + "0 objects, expected 1"));
  CHECK(get_with([](std::string& objects) { objects = "[\"x\"]"; }) ==
        failure("json: cannot unmarshal string into Go value of type map[string]interface {}"));
  CHECK(with(R"({"apiVersion":"example.com/v1beta1","kind")",
             R"({"apiVersion":"example.com/v7","kind")") ==
        failure(prefix + "invalid object at index 0: invalid groupVersion (expected "
                         "example.com/v1beta1, received example.com/v7)"));
  CHECK(
      with(R"("kind":"Hook")", R"("kind":"Other")") ==
      failure(prefix + "invalid object at index 0: invalid kind (expected Hook, received Other)"));
  CHECK(with(R"("name":"a")", R"("name":"b")") ==
        failure(prefix + "invalid object: must have the same name: a != b"));
  CHECK(with(R"("namespace":"default")", R"("namespace":"b")") ==
        failure(prefix + "invalid object: must have the same namespace: default != b"));
  CHECK(with(R"("metadata":{)", R"("metadata":{"labels":{"a":1},)") ==
        failure(prefix + "invalid metadata: metadata.labels[a] must be a string, but is int64 in "
                         "converted object"));
  CHECK(
      has(with(R"("metadata":{)", R"("metadata":{"labels":{"a b":"x"},)"),
          prefix + R"(invalid metadata: metadata.labels: Invalid value: \"a b\": name part must)"));
  // Other changes of metadata are ignored.
  const std::string labelled =
      with(R"("metadata":{)", R"("metadata":{"labels":{"a":"b"},"finalizers":["x/y"],)");
  CHECK(has(labelled, R"("labels":{"a":"b"})"));
  CHECK(!has(labelled, "finalizers"));
}

TEST_CASE("conversion webhook: one that does not answer is given up", "[server]") {
  Hooked hooked;
  hooked.settled("POST", kV1, object("v1", "a", R"("host":"h","port":"1")"));
  const Pending list = begin(hooked.server, "GET", kBeta);
  const Pending page = begin(hooked.server, "GET", std::string(kBeta) + "?limit=1");
  hooked.server.advance(hooked.server.time() + Duration::from_seconds(29));
  CHECK(*list == nullptr);
  hooked.server.advance(hooked.server.time() + Duration::from_seconds(1));
  const std::string late =
      "conversion webhook for example.com/v1, Kind=Hook failed: Post "
      R"(\"https://hook.default.svc:443/convert?timeout=30s\": context deadline exceeded )"
      "(Client.Timeout exceeded while awaiting headers)";
  REQUIRE(*list != nullptr);
  CHECK(
      text_of(**list) ==
      failure("storage is (re)initializing: failed to list example.com/v1beta1, Kind=Hook: " + late,
              429, R"("reason":"TooManyRequests","details":{"retryAfterSeconds":1},)"));
  REQUIRE(*page != nullptr);
  CHECK(text_of(**page) == failure(late));
  // An answer after the timeout is too late.
  for (const WebhookCall& call : hooked.server.take_webhook_calls()) {
    hooked.server.answer_webhook(call.id, {{}, 200, "{}"});
  }
}

TEST_CASE("conversion webhook: a refused create stores nothing", "[server]") {
  Hooked hooked;
  const Pending create = begin(hooked.server, "POST", kBeta, object("v1beta1", "a", ""));
  const WebhookCall call = hooked.server.take_webhook_calls().at(0);
  hooked.server.answer_webhook(
      call.id,
      {{},
       200,
       R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":{"uid":")" +
           std::string(text_after(call.body, "\"uid\":\"")) +
           R"(","result":{"status":"Failed","message":"no way"}}})"});
  REQUIRE(*create != nullptr);
  CHECK(text_of(**create) ==
        failure("conversion webhook for example.com/v1beta1, Kind=Hook failed: no way"));
  CHECK(hooked.settled("GET", path(kV1, "a")).starts_with("404 "));
}

TEST_CASE("conversion webhook: a watch shows objects and changes converted, in order", "[server]") {
  Hooked hooked;
  for (const char* name : {"a", "b"}) {
    hooked.settled("POST", kV1, object("v1", name, R"("host":"h","port":"1")"));
  }
  TestWatch watch(hooked.server, std::string(kBeta) + "?watch=true");
  CHECK(watch.read().empty());
  CHECK(hooked.convert() == 1);
  CHECK(watch.wakes == 1);
  const std::string begun = watch.read();
  CHECK(has(begun, R"("name":"b")"));
  CHECK(has(begun, R"("spec":{"hostPort":"h:1"})"));
  CHECK(!has(begun, R"("host":)"));
  hooked.settled("POST", kV1, object("v1", "c", R"("host":"i","port":"2")"));
  CHECK(has(watch.read(), R"("spec":{"hostPort":"i:2"})"));
  hooked.settled("DELETE", path(kV1, "c"));
  CHECK(watch.read().starts_with(
      R"({"type":"DELETED","object":{"apiVersion":"example.com/v1beta1")"));

  ask(hooked.server, "POST", kV1, object("v1", "d", R"("host":"i","port":"2")"));
  for (const WebhookCall& call : hooked.server.take_webhook_calls()) {
    hooked.server.answer_webhook(call.id, {.fault = Fault{"EOF"}});
  }
  CHECK(watch.read_short() ==
        "ERROR conversion webhook for example.com/v1, Kind=Hook failed: Post \\");
  CHECK(watch.ended());
}

TEST_CASE("conversion webhook: control loops need none, and lose nothing", "[server]") {
  Hooked hooked;
  const auto tick = [&] {
    hooked.server.advance(hooked.server.time() + Duration::from_seconds(5));
  };
  const std::string namespaces = "/api/v1/namespaces", maps = namespaces + "/default/configmaps";
  ask(hooked.server, "POST", namespaces, R"({"metadata":{"name":"shop"}})");
  const std::string owner =
      text_of(ask(hooked.server, "POST", maps, R"({"metadata":{"name":"owner"}})"));
  const std::string shop = "/apis/example.com/v1/namespaces/shop/hooks";
  hooked.settled("POST", shop,
                 R"({"apiVersion":"example.com/v1","kind":"Hook","metadata":{"name":"held",)"
                 R"("finalizers":["x/y"]},"spec":{"host":"h","port":"1"}})");
  hooked.settled(
      "POST", kV1,
      R"({"apiVersion":"example.com/v1","kind":"Hook","metadata":{"name":"owned",)"
      R"("ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":")" +
          std::string(text_after(owner, "\"uid\":\"")) + R"("}]},"spec":{"host":"h","port":"2"}})");
  // The stored object is of a version that is no longer the storage version.
  const std::string definition =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/hooks.example.com";
  Request patch = request_of("PATCH", definition,
                             R"([{"op":"replace","path":"/spec/versions/0/storage","value":false},)"
                             R"({"op":"replace","path":"/spec/versions/1/storage","value":true}])");
  patch.headers = {{"content-type", "application/json-patch+json"}};
  hooked.server.handle(std::move(patch), [](Response answer) { CHECK(answer.status == 200); });
  tick();

  ask(hooked.server, "DELETE", namespaces + "/shop");
  ask(hooked.server, "DELETE", maps + "/owner?propagationPolicy=Orphan");
  tick();
  CHECK(hooked.server.take_webhook_calls().empty());
  CHECK(ask(hooked.server, "GET", maps + "/owner").status == 404);
  const std::string held = hooked.settled("GET", path(shop, "held"));
  CHECK(has(held, R"("deletionTimestamp":)"));
  CHECK(has(held, R"("spec":{"host":"h","port":"1"})"));
  const std::string owned = hooked.settled("GET", path(kV1, "owned"));
  CHECK(!has(owned, "ownerReferences"));
  CHECK(has(owned, R"("spec":{"host":"h","port":"2"})"));
  CHECK(hooked.calls == 0);
  CHECK(has(hooked.settled("GET", path(kBeta, "owned")), R"("spec":{"hostPort":"h:2"})"));
  CHECK(hooked.calls == 1);

  // The next write by a client stores it in the present storage version.
  Request label = request_of("PATCH", path(kV1, "owned"), R"({"metadata":{"labels":{"l":"1"}}})");
  label.headers = {{"content-type", "application/merge-patch+json"}};
  hooked.server.handle(std::move(label), [](Response answer) { CHECK(answer.status == 200); });
  hooked.convert();
  hooked.settled("GET", path(kBeta, "owned"));
  CHECK(hooked.calls == 0);
  ask(hooked.server, "DELETE", definition);
  tick();
  CHECK(ask(hooked.server, "GET", definition).status == 200);  // `held` still has its finalizer
  CHECK(hooked.server.take_webhook_calls().empty());
}

TEST_CASE("conversion webhook: without one who calls it, and in manifests", "[server]") {
  Options options = Hooked::options();
  options.calls_webhooks = false;
  ApiServer server(options);
  ask(server, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kDefinition);
  server.advance(server.time() + Duration::from_seconds(10));
  ask(server, "POST", kV1, object("v1", "a", ""));
  const std::string fault = R"(failed: Post \"https://hook.default.svc:443/convert?timeout=30s\": )"
                            "this host calls no webhooks";
  CHECK(get(server, path(kBeta, "a")) ==
        failure("conversion webhook for example.com/v1, Kind=Hook " + fault));
  TestWatch watch(server, std::string(kBeta) + "?watch=true");
  CHECK(has(watch.read(), R"({"type":"ERROR")"));
  CHECK(watch.ended());
  const std::vector<LoadFault> faults = server.load(object("v1beta1", "b", ""));
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].fault.message == "conversion webhooks are not called while a manifest is loaded");
  CHECK(get(server, path(kV1, "b")).starts_with("404 "));
}

TEST_CASE("conversion webhooks: a quota is charged once for a request that waits", "[server]") {
  Hooked cluster;
  constexpr std::string_view kQuotas = "/api/v1/namespaces/default/resourcequotas";
  constexpr std::string_view kHard = R"("hard":{"count/hooks.example.com":"1"})";
  const auto quota = [&](std::string_view status) {
    return R"({"kind":"ResourceQuota","apiVersion":"v1","metadata":{"name":"q"},"spec":{)" +
           std::string(kHard) + "}" + std::string(status) + "}";
  };
  REQUIRE(ask(cluster.server, "POST", kQuotas, quota("")).status == 201);
  REQUIRE(ask(cluster.server, "PUT", path(kQuotas, "q/status"),
              quota(R"(,"status":{)" + std::string(kHard) +
                    R"(,"used":{"count/hooks.example.com":"0"}})"))
              .status == 200);
  const std::string made =
      cluster.settled("POST", kBeta, object("v1beta1", "a", R"("hostPort":"h:1")"));
  CHECK(made.starts_with("201 "));
  const std::string stored = get(cluster.server, path(kQuotas, "q"));
  CHECK(stored.find(R"("used":{"count/hooks.example.com":"1"})") != std::string::npos);
}

}  // namespace
}  // namespace tabernetes::server
