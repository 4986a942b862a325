#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>
#include <vector>

#include "../requests.h"
#include "tabernetes/api_server.h"

namespace tabernetes::server {
namespace {

// 2026-01-01T00:00:00Z
constexpr Time kViewTime = Time::from_unix_milliseconds(1'767'225'600'000);

Options at_start() {
  Options options;
  options.now = kViewTime;
  return options;
}

std::string flat(const Response& response) { return response.body.flatten(); }

// Checks that view and server give the same answer, except for the audit id.
void check_agree(ApiServer& server, const Request& request) {
  INFO(request.method << " " << request.target);
  std::optional<Response> viewed = server.view()->answer(request, server.time());
  REQUIRE(viewed);
  Response handled;
  server.handle(request, [&](Response response) { handled = std::move(response); });
  CHECK(viewed->status == handled.status);
  CHECK(viewed->body.flatten() == handled.body.flatten());
  CHECK_FALSE(viewed->stream);
  REQUIRE(viewed->headers.size() == handled.headers.size());
  for (std::size_t i = 0; i < viewed->headers.size(); ++i) {
    CHECK(viewed->headers[i].first == handled.headers[i].first);
    if (viewed->headers[i].first == "Audit-Id") continue;
    CHECK(viewed->headers[i].second == handled.headers[i].second);
  }
}

TEST_CASE("view: answers what only reads as the server does", "[server]") {
  ApiServer server(at_start());
  create_config_map(server, "a");
  create_config_map(server, "b");
  for (const char* target : {
           "/api/v1/namespaces/default/configmaps/a",
           "/api/v1/namespaces/default/configmaps/none",
           "/api/v1/namespaces/default/configmaps/a?resourceVersion=2",
           "/api/v1/namespaces/default/configmaps/a?resourceVersion=x",
           "/api/v1/namespaces/default/configmaps",
           "/api/v1/configmaps?limit=1",
           "/api/v1/configmaps?labelSelector=app%3Dx&pretty=1",
           "/api/v1/configmaps?labelSelector=,",
           "/api",
           "/apis",
           "/apis/apps",
           "/apis/apps/v1",
           "/openapi/v3",
           "/openapi/v3/apis/apps/v1",
           "/version",
           "/healthz",
           "/livez?verbose",
           "/",
           "/nothing",
           "/apis/none.example.com/v1/things",
       }) {
    check_agree(server, request_of("GET", target));
  }
  for (const char* accept :
       {"application/yaml", "application/vnd.kubernetes.protobuf",
        "application/json;as=Table;g=meta.k8s.io;v=v1",
        "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1", "text/html"}) {
    Request request = request_of("GET", "/api/v1/configmaps");
    request.headers = {{"accept", accept}};
    check_agree(server, request);
  }
  // A method that no route accepts is rejected without the writer, unless watches might hear of it.
  check_agree(server, request_of("PUT", "/apis/authorization.k8s.io/v1/subjectaccessreviews"));
}

TEST_CASE("view: leaves to the writer what needs it", "[server]") {
  ApiServer server(at_start());
  create_config_map(server, "a");
  const auto view = server.view();
  const auto needs_writer = [&](const std::string& method, const std::string& target) {
    INFO(method << " " << target);
    CHECK_FALSE(view->answer(request_of(method, target), server.time()));
  };
  needs_writer("POST", "/api/v1/namespaces/default/configmaps");
  needs_writer("PUT", "/api/v1/namespaces/default/configmaps");
  needs_writer("PUT", "/api/v1/namespaces/default/configmaps/a");
  needs_writer("DELETE", "/api/v1/namespaces/default/configmaps/a");
  needs_writer("DELETE", "/api/v1/namespaces/default/configmaps");
  needs_writer("GET", "/api/v1/configmaps?watch=1");
  needs_writer("GET", "/api/v1/watch/configmaps");
  needs_writer("GET", "/api/v1/configmaps?resourceVersion=1000");
  needs_writer("GET", "/api/v1/namespaces/default/configmaps/a?resourceVersion=1000");
  needs_writer("POST", "/-/tabernetes/reset");
}

TEST_CASE("view: leaves writes and watches to the writer before authentication", "[server]") {
  Options options = at_start();
  options.anonymous_auth = false;
  ApiServer server(std::move(options));
  const auto answered = [view = server.view()](const char* method, const char* target) {
    const std::optional<Response> answer = view->answer(request_of(method, target), kViewTime);
    if (answer) CHECK(answer->status == 401);
    return answer.has_value();
  };
  struct Case {
    const char* method;
    const char* target;
    bool by_view;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"POST", "/api/v1/namespaces/default/pods", false},
           {"POST", "/api/v1/namespaces/default/pods/p/binding", false},
           {"POST", "/api/v1/namespaces/default/pods/p/eviction?dryRun=All", false},
           {"POST", "/api/v1/namespaces/default/serviceaccounts/a/token", false},
           {"POST", "/api/v1/namespaces/default/bindings", false},
           {"PUT", "/apis/apps/v1/namespaces/default/deployments/a/scale", false},
           {"PATCH", "/api/v1/nodes/n/status", false},
           {"DELETE", "/api/v1/namespaces/default/pods/p", false},
           {"DELETE", "/api/v1/namespaces/default/pods", false},
           {"GET", "/api/v1/pods?labelSelector=a&watch=true", false},
           {"GET", "/api/v1/watch/namespaces/default/pods/p", false},
           {"GET", "/api/v1/pods?watch=false", true},
           {"GET", "/api/v1/namespaces/default/pods/p?watch=true", true},
           {"GET", "/api/v1/namespaces/watch/pods", true},
           {"POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", true},
           {"POST", "/api/v1/namespaces/default/pods/p/exec", false},
           {"DELETE", "/api/v1/namespaces/default/services/s/proxy/a/b", false},
           {"OPTIONS", "/api/v1/namespaces/default/pods", true},
           // Unknown paths and methods are refused without the writer.
           {"PUT", "/api/v1/namespaces/default/pods", true},
           {"POST", "/api/v1/pods", true},
           {"POST", "/apis/none.example.com/v1/things", true},
           {"POST", "/version", true},
       }) {
    INFO(c.method << " " << c.target);
    CHECK(answered(c.method, c.target) == c.by_view);
  }
}

TEST_CASE("view: stays as it is while the server goes on", "[server]") {
  ApiServer server(at_start());
  create_config_map(server, "a");
  const auto before = server.view();
  CHECK(server.view() == before);  // unchanged
  const Request list = request_of("GET", "/api/v1/namespaces/default/configmaps");
  const std::string old_list = flat(*before->answer(list, kViewTime));
  create_config_map(server, "b");
  const auto after = server.view();
  CHECK(after != before);
  CHECK(flat(*before->answer(list, kViewTime)) == old_list);
  CHECK(flat(*after->answer(list, kViewTime)) == ask(server, "GET", list.target).body.flatten());
}

TEST_CASE("view: a state of the past that the writer has made is in the next view", "[server]") {
  ApiServer server(at_start());
  create_config_map(server, "a");
  create_config_map(server, "b");
  const std::string first =
      ask(server, "GET", "/api/v1/namespaces/default/configmaps?limit=1").body.flatten();
  create_config_map(server, "c");
  const std::size_t at = first.find("\"continue\":\"") + 12;
  const std::string token = first.substr(at, first.find('"', at) - at);
  const std::string target = "/api/v1/namespaces/default/configmaps?continue=" + token;
  const Request next = request_of("GET", target);
  CHECK_FALSE(server.view()->answer(next, kViewTime));
  const std::string handled = ask(server, "GET", target).body.flatten();
  const std::optional<Response> viewed = server.view()->answer(next, kViewTime);
  REQUIRE(viewed);
  CHECK(flat(*viewed) == handled);
  REQUIRE(server.compact());
  const std::optional<Response> gone = server.view()->answer(next, kViewTime);
  REQUIRE(gone);
  CHECK(gone->status == 410);
}

TEST_CASE("view: many threads read while the server writes", "[server]") {
  ApiServer server(at_start());
  for (int i = 0; i < 50; ++i) create_config_map(server, "m" + std::to_string(i));
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> readers;
  for (int t = 0; t < 2; ++t) {
    readers.emplace_back([view = server.view(), &stop, &wrong] {
      const std::string expected =
          flat(*view->answer(request_of("GET", "/api/v1/configmaps"), kViewTime));
      do {
        for (const char* target : {"/api/v1/configmaps", "/openapi/v3", "/apis"}) {
          const auto got = view->answer(request_of("GET", target), kViewTime);
          if (!got || got->status != 200) ++wrong;
          if (std::string_view(target) == "/api/v1/configmaps" && flat(*got) != expected) {
            ++wrong;
          }
        }
      } while (!stop);
    });
  }
  for (int i = 0; i < 50; ++i) {
    create_config_map(server, "n" + std::to_string(i));
    ask(server, "DELETE", "/api/v1/namespaces/default/configmaps/m" + std::to_string(i));
    server.view();
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace tabernetes::server
