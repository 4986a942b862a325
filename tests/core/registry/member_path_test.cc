#include "registry/meta/member_path.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/json_reader.h"
#include "codec/json_writer.h"

namespace tabernetes::registry {
namespace {

TEST_CASE("member paths: follow objects, but not lists", "[registry]") {
  json::Arena arena;
  const json::Value object =
      codec::read_json(R"({"spec":{"replicas":3,"list":[7,8],"0":9}})", arena).value;
  const auto at = [&](std::string_view path) {
    const json::Value* value = value_at(object, path);
    return value == nullptr ? "none" : codec::json_text(*value);
  };
  CHECK(at(".spec.replicas") == "3");
  CHECK(at(".spec.0") == "9");
  CHECK(at(".spec.list") == "[7,8]");
  CHECK(at(".spec.list.0") == "none");
  CHECK(at(".spec.replicas.more") == "none");
  CHECK(at(".status.replicas") == "none");
  CHECK(at("") == "none");
}

TEST_CASE("member paths: setting a value adds the objects on the way", "[registry]") {
  json::Arena arena;
  json::Value object = codec::read_json(R"({"spec":"a text"})", arena).value;
  set_at(object, ".spec.deep.replicas", json::Value::integer(2), arena);
  set_at(object, ".count", json::Value::integer(1), arena);
  CHECK(codec::json_text(object) == R"({"spec":{"deep":{"replicas":2}},"count":1})");
}

}  // namespace
}  // namespace tabernetes::registry
