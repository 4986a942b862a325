// Random histories of all kinds of writes to a few objects. The server passes the decoded managed
// fields on from write to write; a fork of it starts without them and decodes them anew. Both must
// give the same answer to every request.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../../core/server/requests.h"
#include "base/numbers/entropy.h"

namespace tabernetes::property {
namespace {

constexpr int kHistories = 12;
constexpr int kSteps = 60;

constexpr std::string_view kDefinition =
    R"({"metadata":{"name":"things.e.com"},"spec":{"group":"e.com","scope":"Namespaced","names":)"
    R"({"plural":"things","kind":"Thing"},"versions":[{"name":"v1","served":true,"storage":true,)"
    R"("subresources":{"status":{},"scale":{"specReplicasPath":".spec.replicas",)"
    R"("statusReplicasPath":".status.replicas"}},"schema":{"openAPIV3Schema":{"type":"object",)"
    R"("properties":{"spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true},)"
    R"("status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}},)"
    R"({"name":"v2","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object",)"
    R"("x-kubernetes-preserve-unknown-fields":true}}}]}})";

struct Target {
  std::string path, version, kind, spec;
};
const Target kTargets[] = {
    {"/apis/apps/v1/namespaces/default/deployments/x", "apps/v1", "Deployment",
     R"("replicas":1,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":)"
     R"({"a":"b"}},"spec":{"containers":[{"name":"c","image":"i","env":[)"
     R"({"name":"A-key-with-a-rather-long-name","value":"#"}]}]}})"},
    {"/apis/e.com/v1/namespaces/default/things/x", "e.com/v1", "Thing",
     R"("replicas":1,"list":["#",{"a":1}],"map":{"k#":{"#":null}})"},
    {"/apis/e.com/v2/namespaces/default/things/x", "e.com/v2", "Thing", R"("replicas":#)"},
};

class History {
 public:
  explicit History(std::uint64_t seed) : dice_(nullptr, seed) {
    server_.advance(Time::from_unix_milliseconds(1'780'315'200'000));
    ask(server_, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kDefinition,
        "application/json");
    advance();
  }

  void step() {
    if (one_in(4)) advance();
    const Target& target = kTargets[dice_.below(3)];
    const std::string manager = "m" + std::to_string(dice_.below(one_in(3) ? 15 : 3));
    std::string query = "?fieldManager=" + manager;
    switch (dice_.below(12)) {
      case 0:
      case 1:
      case 2:
      case 3:
        if (one_in(2)) query += "&force=true";
        if (one_in(8)) query += "&dryRun=All";
        if (one_in(6)) {
          return try_both("PATCH", target.path + "/status" + query,
                          configuration(target, R"("status":{"replicas":#})"),
                          "application/apply-patch+yaml");
        }
        return try_both("PATCH", target.path + query, random_configuration(target),
                        "application/apply-patch+yaml");
      case 4:
        return try_both("PATCH", target.path + query,
                        filled(R"({"metadata":{"labels":{"l#":"#"},"annotations":{"a#":null}}})"),
                        "application/merge-patch+json");
      case 5:
        return try_both("PATCH", target.path + query,
                        filled(R"({"metadata":{"labels":{"l#":"#"}}})"),
                        "application/strategic-merge-patch+json");
      case 6:
        return try_both("PATCH", target.path + query, random_operation(),
                        "application/json-patch+json");
      case 7:
        return try_both("PATCH", target.path + "/status" + query,
                        filled(R"({"status":{"replicas":#,"observedGeneration":#}})"),
                        "application/merge-patch+json");
      case 8:
        return try_both("PATCH", target.path + "/scale" + query,
                        filled(R"({"spec":{"replicas":#}})"), "application/merge-patch+json");
      case 9:
        return put_back(target, query);
      case 10:
        if (one_in(2)) try_both("DELETE", target.path, "", "application/json");
        return;
      default:
        return try_both("POST", target.path.substr(0, target.path.size() - 2) + query,
                        random_configuration(target), "application/json");
    }
  }

 private:
  bool one_in(std::uint64_t n) { return dice_.below(n) == 0; }

  std::string filled(std::string_view text) {
    std::string out;
    for (const char c : text) {
      if (c == '#') {
        out += static_cast<char>('0' + dice_.below(4));
      } else {
        out += c;
      }
    }
    return out;
  }

  std::string configuration(const Target& target, std::string_view rest) {
    return filled(R"({"apiVersion":")" + target.version + R"(","kind":")" + target.kind +
                  R"(","metadata":{"name":"x"},)" + std::string(rest) + "}");
  }

  std::string random_configuration(const Target& target) {
    std::string text = configuration(target, "\"spec\":{" + target.spec + "}");
    if (one_in(2)) {
      text.insert(text.find(R"("name":"x")"), filled(R"("labels":{"l#":"#"},)"));
    }
    return text;
  }

  std::string random_operation() {
    constexpr std::string_view kOperations[] = {
        R"([{"op":"add","path":"/metadata/labels","value":{"l#":"#"}}])",
        R"([{"op":"replace","path":"/metadata/managedFields","value":[]}])",
        R"([{"op":"remove","path":"/metadata/managedFields/0"}])",
        R"([{"op":"add","path":"/metadata/managedFields/0","value":{"manager":"forged","operation":)"
        R"("Update","apiVersion":"v1","fieldsType":"FieldsV1","time":"2026-01-0#T00:00:00Z",)"
        R"("fieldsV1":{"f:metadata":{"f:labels":{"f:l#":{}}}}}}])",
        R"([{"op":"replace","path":"/metadata/managedFields/0/manager","value":"m#"}])",
    };
    return filled(kOperations[dice_.below(5)]);
  }

  // PUTs the object as read, with a change or without.
  void put_back(const Target& target, const std::string& query) {
    std::string text = ask(server_, "GET", target.path, "", "application/json");
    if (text.compare(0, 3, "200") != 0) return;
    text.erase(0, 4);
    if (one_in(2)) {
      text.insert(text.find(R"("uid":)"), filled(R"("annotations":{"put":"#"},)"));
    }
    try_both("PUT", target.path + query, text, "application/json");
  }

  void advance() {
    now_ += 1000;
    server_.advance(Time::from_unix_milliseconds(now_));
  }

  static std::string ask(ApiServer& server, std::string_view method, const std::string& target,
                         std::string_view body, std::string_view type) {
    Request request = server::request_of(method, target, body);
    request.headers = {{"content-type", std::string(type)}};
    std::string answer = "none";
    server.handle(std::move(request),
                  [&](Response response) { answer = server::text_of(response); });
    return answer;
  }

  void try_both(std::string_view method, const std::string& target, const std::string& body,
                std::string_view type) {
    const std::unique_ptr<ApiServer> fork = server_.fork();
    CAPTURE(method, target, body);
    const std::string answer = ask(server_, method, target, body, type);
    REQUIRE(answer == ask(*fork, method, target, body, type));
    changes += answer.compare(0, 2, "20") == 0;
  }

  Entropy dice_;
  ApiServer server_;
  std::int64_t now_ = 1'780'315'200'000;

 public:
  int changes = 0;
};

TEST_CASE("who owns what is the same, handed on or read anew", "[property]") {
  int changes = 0;
  for (int history = 0; history < kHistories; ++history) {
    CAPTURE(history);
    History random(static_cast<std::uint64_t>(history));
    for (int step = 0; step < kSteps; ++step) random.step();
    changes += random.changes;
  }
  CHECK(changes > kHistories * kSteps / 3);
}

}  // namespace
}  // namespace tabernetes::property
