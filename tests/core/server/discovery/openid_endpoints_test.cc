#include "server/discovery/openid_endpoints.h"

#include <catch2/catch_test_macros.hpp>

#include "../../recordings.h"
#include "server/discovery/zpages.h"

namespace tabernetes::server {
namespace {

TEST_CASE("openid and profile endpoints: answers are those of a real server", "[server]") {
  const tests::Recordings recordings("discovery");
  const auto steps = recordings.steps("other-endpoints");
  REQUIRE(!steps.empty());
  int answered = 0;
  for (const json::Value& step : steps) {
    const std::string_view path = tests::path_of(step);
    INFO(path);
    std::optional<TextResponse> answer = answer_profile(path);
    if (path == "/.well-known/openid-configuration") {
      answer = openid_configuration("127.0.0.1:18443");
    }
    if (!answer) continue;
    ++answered;
    CHECK(answer->status == step.at({"response", "status"})->as_int());
    CHECK(answer->content_type == step.at({"response", "headers", "content-type"})->as_string());
    const json::Value* cache = step.at({"response", "headers", "cache-control"});
    if (cache != nullptr) CHECK(answer->cache_control == cache->as_string());
    const json::Value* body = tests::body_of(step);
    if (body == nullptr || body->is_null()) continue;
    const json::Value* text = body->find("text");
    CHECK(answer->body ==
          (text != nullptr ? std::string(text->as_string()) : tests::to_text(*body)));
  }
  CHECK(answered == 2);
  CHECK(!answer_profile("/logs"));
}

}  // namespace
}  // namespace tabernetes::server
