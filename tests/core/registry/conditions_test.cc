#include "registry/meta/conditions.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/json_reader.h"
#include "codec/json_writer.h"

namespace tabernetes::registry {
namespace {

const Time kNow = Time::from_unix_milliseconds(1'000'000'000'000);

TEST_CASE("conditions: the first or the last one of a type is found", "[registry]") {
  json::Arena arena;
  const json::Value object =
      codec::read_json(
          R"({"status":{"conditions":[{"type":"A","status":"True"},{"type":"B","status":"False"},)"
          R"({"type":"A","status":"False"}]}})",
          arena)
          .value;
  REQUIRE(find_condition(object, "A") != nullptr);
  CHECK(find_condition(object, "A")->string_at("status") == "True");
  CHECK(last_condition(object, "A")->string_at("status") == "False");
  CHECK(condition_is_true(object, "A"));
  CHECK_FALSE(condition_is_true(object, "B"));
  CHECK(find_condition(object, "C") == nullptr);
  CHECK(find_condition(json::Value::object(arena), "A") == nullptr);
}

TEST_CASE("conditions: lastTransitionTime is kept while the status is unchanged", "[registry]") {
  json::Arena arena;
  json::Value status = json::Value::object(arena);
  set_condition(status, {"A", "True", "First", "one"}, kNow, arena);
  const Time later = kNow + Duration::from_seconds(60);
  set_condition(status, {"B", "True"}, later, arena);
  set_condition(status, {"A", "True", "Second", "two"}, later, arena);
  CHECK(codec::json_text(status) ==
        R"({"conditions":[{"type":"A","status":"True","reason":"Second","message":"two",)"
        R"("lastTransitionTime":"2001-09-09T01:46:40Z"},{"type":"B","status":"True","reason":"",)"
        R"("message":"","lastTransitionTime":"2001-09-09T01:47:40Z"}]})");
  set_condition(status, {.type = "A", .status = "False", .observed_generation = 3}, later, arena);
  CHECK(codec::json_text(status.find("conditions")->items()[0]) ==
        R"({"type":"A","status":"False","reason":"","message":"","observedGeneration":3,)"
        R"("lastTransitionTime":"2001-09-09T01:47:40Z"})");
}

}  // namespace
}  // namespace tabernetes::registry
