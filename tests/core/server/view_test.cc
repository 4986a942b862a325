#include "tabernetes/view.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>
#include <vector>

#include "server_fixture.h"

namespace tabernetes::server {
namespace {

// The answers of view and server to the same request are the same, the audit id apart.
void check_agree(ServerFixture& f, const Request& request) {
  INFO(request.method << " " << request.target);
  std::optional<Response> viewed = f.server.view()->answer(request, f.server.time());
  REQUIRE(viewed);
  std::optional<Response> handled = f.try_send(request);
  REQUIRE(handled);
  CHECK(viewed->status == handled->status);
  CHECK(viewed->body.flatten() == handled->body.flatten());
  CHECK_FALSE(viewed->stream);
  REQUIRE(viewed->headers.size() == handled->headers.size());
  for (std::size_t i = 0; i < viewed->headers.size(); ++i) {
    CHECK(viewed->headers[i].first == handled->headers[i].first);
    if (viewed->headers[i].first == "Audit-Id") continue;
    CHECK(viewed->headers[i].second == handled->headers[i].second);
  }
}

TEST_CASE("view: answers what only reads as the server does", "[server]") {
  ServerFixture f;
  f.create_config_map("a", R"({"app":"x"})");
  f.create_config_map("b");
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
    check_agree(f, ServerFixture::request("GET", target));
  }
  for (const char* accept :
       {"application/yaml", "application/vnd.kubernetes.protobuf",
        "application/json;as=Table;g=meta.k8s.io;v=v1",
        "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1", "text/html"}) {
    Request request = ServerFixture::request("GET", "/api/v1/configmaps");
    request.headers[0].second = accept;
    check_agree(f, request);
  }
  // What no resource takes is refused without the writer.
  check_agree(f, ServerFixture::request("PUT", "/api/v1/namespaces/default/configmaps"));
}

TEST_CASE("view: leaves to the writer what needs it", "[server]") {
  ServerFixture f;
  f.create_config_map("a");
  const auto view = f.server.view();
  const auto needs_writer = [&](const std::string& method, const std::string& target) {
    INFO(method << " " << target);
    CHECK_FALSE(view->answer(ServerFixture::request(method, target), f.server.time()));
  };
  needs_writer("POST", "/api/v1/namespaces/default/configmaps");
  needs_writer("PUT", "/api/v1/namespaces/default/configmaps/a");
  needs_writer("DELETE", "/api/v1/namespaces/default/configmaps/a");
  needs_writer("DELETE", "/api/v1/namespaces/default/configmaps");
  needs_writer("GET", "/api/v1/configmaps?watch=1");
  needs_writer("GET", "/api/v1/watch/configmaps");
  needs_writer("GET", "/api/v1/configmaps?resourceVersion=1000");
  needs_writer("GET", "/api/v1/namespaces/default/configmaps/a?resourceVersion=1000");
  needs_writer("POST", "/-/tabernetes/reset");
}

TEST_CASE("view: stays as it is while the server goes on", "[server]") {
  ServerFixture f;
  f.create_config_map("a");
  const auto before = f.server.view();
  CHECK(f.server.view() == before);  // nothing changed
  const Request list = ServerFixture::request("GET", "/api/v1/namespaces/default/configmaps");
  const std::string old_list = ServerFixture::text(*before->answer(list, kTestStart));
  f.create_config_map("b");
  const auto after = f.server.view();
  CHECK(after != before);
  CHECK(ServerFixture::text(*before->answer(list, kTestStart)) == old_list);
  CHECK(ServerFixture::text(*after->answer(list, kTestStart)) ==
        ServerFixture::text(f.send("GET", list.target)));
}

TEST_CASE("view: a state of the past that the writer has made is in the next view", "[server]") {
  ServerFixture f;
  f.create_config_map("a");
  f.create_config_map("b");
  const std::string first =
      ServerFixture::text(f.send("GET", "/api/v1/namespaces/default/configmaps?limit=1"));
  f.create_config_map("c");
  const std::size_t at = first.find("\"continue\":\"") + 12;
  const std::string token = first.substr(at, first.find('"', at) - at);
  const std::string target = "/api/v1/namespaces/default/configmaps?continue=" + token;
  const Request next = ServerFixture::request("GET", target);
  CHECK_FALSE(f.server.view()->answer(next, kTestStart));
  const std::string handled = ServerFixture::text(f.send("GET", target));
  const std::optional<Response> viewed = f.server.view()->answer(next, kTestStart);
  REQUIRE(viewed);
  CHECK(ServerFixture::text(*viewed) == handled);
  f.send("POST", "/-/tabernetes/compact");
  const std::optional<Response> gone = f.server.view()->answer(next, kTestStart);
  REQUIRE(gone);
  CHECK(gone->status == 410);
}

TEST_CASE("view: many threads read while the server writes", "[server]") {
  ServerFixture f;
  for (int i = 0; i < 50; ++i) f.create_config_map("m" + std::to_string(i));
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> readers;
  for (int t = 0; t < 2; ++t) {
    readers.emplace_back([view = f.server.view(), &stop, &wrong] {
      const std::string expected = ServerFixture::text(
          *view->answer(ServerFixture::request("GET", "/api/v1/configmaps"), kTestStart));
      do {
        for (const char* target : {"/api/v1/configmaps", "/openapi/v3", "/apis"}) {
          const auto got = view->answer(ServerFixture::request("GET", target), kTestStart);
          if (!got || got->status != 200) ++wrong;
          if (std::string_view(target) == "/api/v1/configmaps" &&
              ServerFixture::text(*got) != expected) {
            ++wrong;
          }
        }
      } while (!stop);
    });
  }
  for (int i = 0; i < 50; ++i) {
    f.create_config_map("n" + std::to_string(i));
    f.send("DELETE", "/api/v1/namespaces/default/configmaps/m" + std::to_string(i));
    f.server.view();
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace tabernetes::server
