#include "server/list/continue_token.h"

#include <catch2/catch_test_macros.hpp>

#include "../../vectors.h"

namespace tabernetes::server {
namespace {

using namespace std::string_literals;

TEST_CASE("continue token: the real server's shape", "[server]") {
  const std::string token = encode_continue({10245, "default/pod-1\0"s});
  CHECK(token ==
        "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MTAyNDUsInN0YXJ0IjoiL2RlZmF1bHQvcG9kLTFcdTAwMDAifQ");
  const auto decoded = decode_continue(token);
  REQUIRE(decoded);
  CHECK(decoded->revision == 10245);
  CHECK(decoded->start == "default/pod-1\0"s);
}

TEST_CASE("continue token: the slash at the start may be missing", "[server]") {
  const auto decoded = decode_continue(
      "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MTAyNDUsInN0YXJ0IjoiZGVmYXVsdC9wb2QtMVx1MDAwMCJ9");
  REQUIRE(decoded);
  CHECK(decoded->start == "default/pod-1\0"s);
}

TEST_CASE("continue token: what stands in it comes back", "[server]") {
  for (const std::string& start : {"a\0"s, "ns/a\0"s, "a.b-c/d\0"s, "x"s}) {
    for (const std::int64_t revision : {std::int64_t{1}, std::int64_t{-1}, INT64_MAX}) {
      const auto decoded = decode_continue(encode_continue({revision, start}));
      REQUIRE(decoded);
      CHECK(decoded->revision == revision);
      CHECK(decoded->start == start);
    }
  }
}

TEST_CASE("continue token: forged ones are refused", "[server]") {
  struct Case {
    std::string_view name, token, error;
  };
  // The tokens are base64url of the JSON in the name.
  static constexpr Case kCases[] = {
      {"no base64url", "a!b", "illegal base64 data at input byte 1"},
      {"one digit too many", "abcde", "illegal base64 data at input byte 4"},
      {"no JSON", "nonsense", "invalid character '\\u009e' looking for beginning of value"},
      {R"({"v":"v2","rv":1,"start":"a"})", "eyJ2IjoidjIiLCJydiI6MSwic3RhcnQiOiJhIn0",
       "server does not recognize this encoded version v2"},
      {R"({"v":"meta.k8s.io/v1","rv":0,"start":"a"})",
       "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MCwic3RhcnQiOiJhIn0",
       "incorrect encoded start resourceVersion (version meta.k8s.io/v1)"},
      {R"({"v":"meta.k8s.io/v1","rv":1,"start":""})",
       "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIifQ",
       "encoded start key empty (version meta.k8s.io/v1)"},
      {R"({"v":"meta.k8s.io/v1","rv":1,"start":"../x"})",
       "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIuLi94In0", "../x"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) {
      const auto decoded = decode_continue(c.token);
      REQUIRE_FALSE(decoded);
      CHECK(decoded.error().code == 400);
      CHECK(decoded.error().message ==
            "invalid continue token: continue key is not valid: " + std::string(c.error));
    }
  }
}

TEST_CASE("continue token: upstream's decoder and ours agree", "[server]") {
  const tests::Vectors vectors("server/vectors/continue_tokens.json");
  for (const json::Value& each : vectors.cases()) {
    INFO(tests::name_of(each.string_at("text")));
    const auto token = decode_continue(each.string_at("text"));
    if (each.find("error") != nullptr) {
      REQUIRE_FALSE(token);
      CHECK(token.error().message == "invalid continue token: continue key is not valid: " +
                                         std::string(each.string_at("error")));
    } else {
      REQUIRE(token);
      CHECK(token->revision == each.find("rv")->as_int());
      CHECK(token->start == each.string_at("start"));
    }
  }
}

}  // namespace
}  // namespace tabernetes::server
