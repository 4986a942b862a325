#include "log.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

namespace tabernetes::host {
namespace {

constexpr std::chrono::milliseconds kNow(1'767'225'600'000);

LoggedRequest list_of_pods() {
  return {.method = "GET",
          .target = "/api/v1/namespaces/default/pods?limit=500",
          .user_agent = "kubectl/v1.36.0",
          .audit_id = "4a5c2f0e-0000-4000-8000-000000000001",
          .peer = "127.0.0.1:51234",
          .status = 200,
          .bytes = 1532,
          .took = std::chrono::microseconds(412)};
}

TEST_CASE("log: a request as text", "[host]") {
  CHECK(request_line(LogFormat::kText, list_of_pods(), kNow) ==
        "GET /api/v1/namespaces/default/pods?limit=500 200 1532 bytes 0.4 ms\n");
}

TEST_CASE("log: a request as JSON, as kube-apiserver writes it", "[host]") {
  CHECK(request_line(LogFormat::kJson, list_of_pods(), kNow + std::chrono::microseconds(250)) ==
        R"({"ts":1767225600000.25,"msg":"HTTP","v":0,"verb":"LIST",)"
        R"("URI":"/api/v1/namespaces/default/pods?limit=500","latency":"412µs",)"
        R"("userAgent":"kubectl/v1.36.0","audit-ID":"4a5c2f0e-0000-4000-8000-000000000001",)"
        R"("srcIP":"127.0.0.1:51234","resource":"pods","bytes":1532,"resp":200})"
        "\n");
}

TEST_CASE("log: a WebSocket is told as a connection that was taken over", "[host]") {
  LoggedRequest request = list_of_pods();
  request.status = 101;
  const auto line = nlohmann::json::parse(request_line(LogFormat::kJson, request, kNow));
  CHECK(line.at("hijacked") == true);
  CHECK_FALSE(line.contains("resp"));
}

TEST_CASE("log: whatever a peer sends is one line of JSON", "[host]") {
  LoggedRequest request = list_of_pods();
  request.user_agent = "a\n\"b\"\xff";
  request.target = "/\xc3";
  const std::string text = request_line(LogFormat::kJson, request, kNow);
  CHECK(text.find('\n') == text.size() - 1);
  const auto line = nlohmann::json::parse(text);
  CHECK(line.at("userAgent") == "a\n\"b\"\xEF\xBF\xBD");
  CHECK(line.at("URI") == "/\xEF\xBF\xBD");
  CHECK_FALSE(line.contains("resource"));
}

TEST_CASE("log: requests are told from info on", "[host]") {
  CHECK_FALSE(Log{LogLevel::kError}.requests());
  CHECK_FALSE(Log{}.requests());
  CHECK(Log{LogLevel::kInfo}.requests());
  CHECK(Log{LogLevel::kDebug}.requests());
}

}  // namespace
}  // namespace tabernetes::host
