// Options::allow_privileged.
#include <catch2/catch_test_macros.hpp>

#include "../requests.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kPodsInDefault = "/api/v1/namespaces/default/pods";
constexpr std::string_view kPod =
    R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"spec":{"containers":)"
    R"([{"name":"c","image":"i","securityContext":{"privileged":true}}]}})";
constexpr std::string_view kMessage =
    R"("message":"Pod \"p\" is invalid: spec.containers[0].securityContext.privileged: Forbidden: )"
    R"(disallowed by cluster policy")";

TEST_CASE("privileged: containers are as powerful as their node where that is allowed",
          "[server]") {
  Options options;
  ApiServer refusing(options);
  CHECK(text_of(ask(refusing, "POST", kPodsInDefault, kPod)).find(kMessage) != std::string::npos);
  CHECK(get(refusing, "/flagz").find("allow-privileged") == std::string::npos);

  options.allow_privileged = true;
  ApiServer allowing(options);
  CHECK(get(allowing, "/flagz").find("\nallow-privileged true\n") != std::string::npos);
  auto fork = allowing.fork();
  for (ApiServer* server : {&allowing, fork.get()}) {
    CHECK(ask(*server, "POST", kPodsInDefault, kPod).status == 201);
  }
}

}  // namespace
}  // namespace tabernetes::server
