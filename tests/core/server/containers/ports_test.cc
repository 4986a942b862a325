#include "server/containers/ports.h"

#include <catch2/catch_test_macros.hpp>

#include "base/time/rfc3339.h"
#include "codec/json_reader.h"
#include "server/containers/container_reader.h"

using namespace tabernetes;
using server::ContainerRules;
using server::PodPorts;
using server::PortConnection;

namespace {

constexpr std::string_view kPod = R"({"metadata":{"name":"web","namespace":"default","uid":"u"},
"spec":{"nodeName":"n","containers":[{"name":"main","image":"nginx","ports":[{"containerPort":80}]},
{"name":"side","image":"b","ports":[{"containerPort":90}]}]},"status":{"podIP":"10.0.0.1"}})";

PodPorts ports_of(std::string_view pod, std::string_view rules = "[]") {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(pod, arena);
  REQUIRE(read.ok());
  return PodPorts(read.value, **server::read_containers(rules));
}

std::string answers(const PodPorts& ports, std::string_view sent, std::int64_t port = 80) {
  PortConnection connection(ports, port, *parse_rfc3339("2026-01-01T00:00:00Z"));
  for (const char c : sent) connection.receive({&c, 1});
  return connection.take() + (connection.closed() ? "closed" : "");
}

constexpr std::string_view kDate = "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n";

}  // namespace

TEST_CASE("ports: where something listens", "[server]") {
  const PodPorts ports = ports_of(kPod);
  CHECK(ports.listens(80));
  CHECK(ports.listens(90));
  CHECK_FALSE(ports.listens(81));
  CHECK(ports_of(R"({"spec":{"containers":[{"name":"a"}]}})").listens(12345));
  const PodPorts ruled = ports_of(kPod, "[{ports: [{port: 80, refuse: true}, {port: 443}]}]");
  CHECK_FALSE(ruled.listens(80));
  CHECK(ruled.listens(443));
}

TEST_CASE("ports: who was asked", "[server]") {
  const PodPorts ports = ports_of(kPod);
  const std::string body =
      R"({"pod":"web","namespace":"default","node":"n","ip":"10.0.0.1","container":"side",)"
      R"("image":"b","port":90,"method":"GET","path":"/a?b"})"
      "\n";
  CHECK(answers(ports, "GET /a?b HTTP/1.1\r\nHost: x\r\n\r\n", 90) ==
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
            std::to_string(body.size()) + "\r\n" + std::string(kDate) + "\r\n" + body);
}

TEST_CASE("ports: bodies, kept connections, and what is no HTTP", "[server]") {
  const PodPorts ports = ports_of(kPod, "[{ports: [{status: 204}]}]");
  const std::string answer =
      "HTTP/1.1 204 No Content\r\nContent-Type: text/plain; charset=utf-8\r\n" + std::string(kDate);
  CHECK(answers(ports,
                "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"
                "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"
                "GET / HTTP/1.1\r\nConnection: close\r\n\r\n") ==
        answer + "\r\n" + answer + "\r\n" + answer + "Connection: close\r\n\r\nclosed");
  const std::string refused =
      "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: "
      "close\r\n\r\n400 Bad Requestclosed";
  CHECK(answers(ports, "hello\r\n\r\n") == refused);
  CHECK(answers(ports, "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n") == refused);
  CHECK(answers(ports, "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n") == refused);
}
