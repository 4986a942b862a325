#include "server/http/query.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes::server {
namespace {

TEST_CASE("query: escapes, plus signs, repeated and empty values", "[server]") {
  const Query query = Query::parse("a=1&a=2&b=x+y%2Bz&c&d=&&e=%zz");
  CHECK(query.get("a") == "1");
  CHECK(query.all("a") == std::vector<std::string>{"1", "2"});
  CHECK(query.get("b") == "x y+z");
  CHECK(query.has("c"));
  CHECK(query.get("c").empty());
  CHECK(query.has("d"));
  CHECK(query.get("e") == "%zz");
  CHECK_FALSE(query.has("f"));
  CHECK_FALSE(query.has("A"));
}

TEST_CASE("query: a flag is false only as 0 or false", "[server]") {
  struct Case {
    std::string_view text;
    std::optional<bool> value;
  };
  const Case cases[] = {{"", std::nullopt}, {"watch", true},        {"watch=", true},
                        {"watch=0", false}, {"watch=FALSE", false}, {"watch=F", true},
                        {"watch=no", true}, {"watch=1", true},      {"watch=False", false}};
  for (const Case& c : cases) {
    DYNAMIC_SECTION(c.text) { CHECK(Query::parse(c.text).boolean("watch") == c.value); }
  }
}

TEST_CASE("query: integers are Go's", "[server]") {
  struct Case {
    std::string_view text;
    std::optional<std::int64_t> value;
    std::string error;
  };
  const Case cases[] = {
      {"", std::nullopt, ""},
      {"limit=5", 5, ""},
      {"limit=-1", -1, ""},
      {"limit=", std::nullopt, "strconv.ParseInt: parsing \"\": invalid syntax"},
      {"limit=x", std::nullopt, "strconv.ParseInt: parsing \"x\": invalid syntax"},
      {"limit=99999999999999999999", std::nullopt,
       "strconv.ParseInt: parsing \"99999999999999999999\": value out of range"},
  };
  for (const Case& c : cases) {
    DYNAMIC_SECTION(c.text) {
      const auto result = Query::parse(c.text).integer("limit");
      if (c.error.empty()) {
        REQUIRE(result);
        CHECK(*result == c.value);
      } else {
        REQUIRE_FALSE(result);
        CHECK(result.error().code == 400);
        CHECK(result.error().message == c.error);
      }
    }
  }
}

}  // namespace
}  // namespace tabernetes::server
