#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../requests.h"

namespace tabernetes::server {
namespace {

TEST_CASE("A grace period of any length is taken: its product with a second wraps as in Go") {
  Options options;
  options.now = Time::from_unix_milliseconds(0);
  options.controllers = {};
  ApiServer server(std::move(options));
  const std::string pods = "/api/v1/namespaces/default/pods";
  REQUIRE(ask(server, "POST", pods,
              R"({"metadata":{"name":"a"},"spec":{"nodeName":"n","containers":[{"name":"a",)"
              R"("image":"a"}]}})")
              .status == 201);
  const Response marked =
      ask(server, "DELETE", pods + "/a", R"({"gracePeriodSeconds":9007199254740993})");
  CHECK(marked.status == 200);
  CHECK(marked.body.flatten().find(R"("deletionGracePeriodSeconds":9007199254740993)") !=
        std::string::npos);
  CHECK(ask(server, "DELETE", pods + "/a", R"({"gracePeriodSeconds":5})").status == 200);
}

}  // namespace
}  // namespace tabernetes::server
