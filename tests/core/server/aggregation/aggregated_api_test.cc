#include "server/aggregation/aggregated_api.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

namespace tabernetes::server {
namespace {

Request upgrade_request(Headers headers) {
  Request request;
  request.method = "GET";
  request.target = "/apis/fruit.example/v1/echo";
  request.headers = std::move(headers);
  return request;
}

TEST_CASE("Aggregated APIs: what a request for an upgrade passes on") {
  ProxyCall call;
  call.patience = Duration::from_seconds(60);
  add_upgrade(upgrade_request({{"connection", "keep-alive, Upgrade"},
                               {"upgrade", "websocket"},
                               {"sec-websocket-key", "abc"},
                               {"sec-websocket-version", "13"},
                               {"cookie", "a=b"}}),
              call);
  CHECK(call.upgrade == Headers{{"Connection", "Upgrade"},
                                {"Upgrade", "websocket"},
                                {"sec-websocket-key", "abc"},
                                {"sec-websocket-version", "13"}});
  CHECK(call.patience == Duration{});
}

TEST_CASE("Aggregated APIs: no upgrade without both headers") {
  ProxyCall call;
  call.patience = Duration::from_seconds(60);
  add_upgrade(upgrade_request({{"upgrade", "websocket"}}), call);
  add_upgrade(upgrade_request({{"connection", "Upgrade"}}), call);
  add_upgrade(upgrade_request({{"connection", "close"}, {"upgrade", "h2c"}}), call);
  CHECK(call.upgrade.empty());
  CHECK(call.patience == Duration::from_seconds(60));
}

TEST_CASE("Aggregated APIs: headers of the connection are not answered, but with 101") {
  const Headers given = {{"Connection", "Upgrade"},
                         {"Upgrade", "SPDY/3.1"},
                         {"Date", "now"},
                         {"Audit-Id", "theirs"},
                         {"X-Theirs", "yes"}};
  ProxyAnswer answer;
  answer.status = 200;
  answer.headers = given;
  CHECK(answer_of(answer, nullptr).headers == Headers{{"X-Theirs", "yes"}});
  answer.status = 101;
  CHECK(answer_of(answer, nullptr).headers ==
        Headers{{"Connection", "Upgrade"}, {"Upgrade", "SPDY/3.1"}, {"X-Theirs", "yes"}});
}

TEST_CASE("Aggregated APIs: a server that is not reached is 503 with the reason") {
  ProxyAnswer answer;
  answer.fault = Fault{"dial tcp 127.0.0.1:1: connect: connection refused"};
  const Response response = answer_of(answer, nullptr);
  CHECK(response.status == 503);
  CHECK(response.body.flatten() ==
        "error trying to reach service: dial tcp 127.0.0.1:1: connect: connection refused\n");
  CHECK(answer_unavailable().status == 503);
  CHECK(answer_unavailable().body.flatten() == "service unavailable\n");
}

TEST_CASE("Aggregated APIs: the chain of addresses grows by the peer's") {
  Request request = upgrade_request({{"x-forwarded-for", "10.0.0.1"}});
  request.peer.remote_address = "10.0.0.2";
  Headers headers;
  add_forwarded_for(request, headers);
  CHECK(headers == Headers{{"X-Forwarded-For", "10.0.0.1, 10.0.0.2"}});
  request.headers.clear();
  request.peer.remote_address.clear();
  headers.clear();
  add_forwarded_for(request, headers);
  CHECK(headers.empty());
}

}  // namespace
}  // namespace tabernetes::server
