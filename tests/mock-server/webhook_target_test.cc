#include "webhook_target.h"

#include <catch2/catch_test_macros.hpp>

using namespace tabernetes;
using namespace tabernetes::host;

TEST_CASE("webhook target: a service and its place are told apart", "[host]") {
  CHECK(parse_webhook_service("hook.shop=localhost:9443") ==
        WebhookService{"hook.shop", {"localhost", 9443}});
  CHECK(parse_webhook_service("hook.shop:443=[::1]:9") ==
        WebhookService{"hook.shop:443", {"::1", 9}});
  for (const char* text : {"", "hook.shop", "hook=localhost:1", "hook.shop=localhost", ".shop=a:1",
                           "hook.=a:1", "hook.shop.svc=a:1", "hook.shop:=a:1", "hook.shop:x=a:1",
                           "hook.shop:70000=a:1", "Hook.shop=a:1", "hook.shop=", "=a:1"}) {
    INFO(text);
    CHECK_FALSE(parse_webhook_service(text));
  }
}

TEST_CASE("webhook target: a URL says where, for whom and what", "[host]") {
  struct Case {
    const char *url, *host, *authority, *path;
    std::uint16_t port = 443;
  };
  static constexpr Case kCases[] = {
      {"https://a.b/?t=1", "a.b", "a.b", "/?t=1"},
      {"https://a.b:9/c/d?t=1", "a.b", "a.b:9", "/c/d?t=1", 9},
      {"https://127.0.0.1/", "127.0.0.1", "127.0.0.1", "/"},
      {"https://[::1]/x", "::1", "[::1]", "/x"},
      {"https://[::1]:8/x", "::1", "[::1]:8", "/x", 8},
  };
  for (const Case& c : kCases) {
    INFO(c.url);
    const WebhookTarget target = find_target({.url = c.url}, {{"a.b", {"c", 1}}});
    CHECK(target.fault.empty());
    CHECK(target.address == ListenAddress{c.host, c.port});
    CHECK(target.server_name == c.host);
    CHECK(target.authority == c.authority);
    CHECK(target.path == c.path);
  }
  for (const char* url : {"", "http://a/", "https:///x", "https://a:b/", "https://a/x y",
                          "https://a/x\r\ny", "https://u@a/"}) {
    INFO(url);
    CHECK(find_target({.url = url}, {}).fault == "unsupported URL");
  }
}

TEST_CASE("webhook target: a service is where the flags say, else where the cluster does",
          "[host]") {
  const std::vector<WebhookService> services = {{"hook.shop:8443", {"localhost", 1}},
                                                {"hook.shop", {"localhost", 2}}};
  const auto find = [&](const char* service, Expected<std::string> address) {
    return find_target({.url = "https://hook.shop.svc:443/c",
                        .service = WebhookCall::Service{service, std::move(address)}},
                       services);
  };
  const Fault gone{"gone", {}};
  CHECK(find("hook.shop:8443", "far:3").address == ListenAddress{"localhost", 1});
  CHECK(find("hook.shop:443", gone).address == ListenAddress{"localhost", 2});
  const WebhookTarget far = find("hook.other:443", "far:3");
  CHECK(far.address == ListenAddress{"far", 3});
  CHECK(far.server_name == "hook.shop.svc");
  CHECK(far.authority == "hook.shop.svc:443");
  CHECK(find("hook.other:443", gone).fault == "gone");
}
