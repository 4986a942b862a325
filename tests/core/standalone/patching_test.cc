// The functions that patch without a server: tabernetes/standalone.h.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../faults.h"
#include "tabernetes/standalone.h"

namespace tabernetes {
namespace {

constexpr std::string_view kJsonPatch = "application/json-patch+json";
constexpr std::string_view kMergePatch = "application/merge-patch+json";
constexpr std::string_view kStrategic = "application/strategic-merge-patch+json";

std::string patched(std::string_view object, std::string_view patch, std::string_view type) {
  const auto given = apply_patch(object, patch, {.media_type = type});
  return given ? given->object : given.fault().status;
}

std::string failure(int code, std::string_view reason, std::string_view message) {
  return R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":")" +
         std::string(message) + R"(","reason":")" + std::string(reason) + R"(","code":)" +
         std::to_string(code) + "}";
}

constexpr std::string_view kPod =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"x"},{"name":"b"}]}})";

TEST_CASE("patching: each type as the server applies it", "[server]") {
  CHECK(
      patched(kPod, R"([{"op":"remove","path":"/spec/containers/1"}])", kJsonPatch) ==
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"x","resources":{}}]},"status":{}})");
  CHECK(
      patched(kPod, R"({"metadata":{"labels":{"l":"1"}},"spec":{"containers":null}})",
              kMergePatch) ==
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","labels":{"l":"1"}},"spec":{"containers":null},"status":{}})");
  CHECK(
      patched(
          kPod,
          R"({"spec":{"containers":[{"name":"b","image":"y"},{"name":"a","$patch":"delete"}]}})",
          kStrategic) ==
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"spec":{"containers":[{"name":"b","image":"y","resources":{}}]},"status":{}})");
}

TEST_CASE("patching: other kinds are patched as they are, not strategically", "[server]") {
  constexpr std::string_view kOdd =
      R"({"apiVersion":"e.com/v1","kind":"Odd","metadata":{"name":"o"},"z":{"b":[1],"a":1.50}})";
  CHECK(patched(kOdd, R"({"z":{"b":null}})", kMergePatch) ==
        R"({"apiVersion":"e.com/v1","kind":"Odd","metadata":{"name":"o"},"z":{"a":1.5}})");
  CHECK(patched(kOdd, "{}", kStrategic) ==
        failure(415, "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include: "
                "application/json-patch+json, application/merge-patch+json, "
                "application/apply-patch+yaml"));
  CHECK(
      patched(kOdd, R"({"kind":"Even"})", kMergePatch) ==
      R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Even.e.com \"o\" is invalid: kind: Invalid value: \"Even\": must be Odd","reason":"Invalid","details":{"name":"o","group":"e.com","kind":"Even","causes":[{"reason":"FieldValueInvalid","message":"Invalid value: \"Even\": must be Odd","field":"kind"}]},"code":422})");
}

TEST_CASE("patching: what is wrong is the Status of the server", "[server]") {
  CHECK(patched("[]", "{}", kMergePatch) == failure(400, "BadRequest", "an object is expected"));
  CHECK(patched(kPod, "{}", "text/plain").find(R"("code":415})") != std::string::npos);
  CHECK(patched(kPod, "[]", kMergePatch) ==
        failure(400, "BadRequest",
                "error decoding patch: json: cannot unmarshal array into Go value of type "
                "map[string]interface {}"));
  CHECK(patched(kPod, "{", kStrategic) ==
        failure(400, "BadRequest", "unexpected end of JSON input"));
}

TEST_CASE("patching: unknown fields are warned of or refused", "[server]") {
  PatchOptions options{.media_type = kMergePatch};
  const auto lax = apply_patch(kPod, R"({"spec":{"zz":1},"zz":1})", options);
  REQUIRE(lax);
  CHECK(lax->warnings ==
        std::vector<std::string>{R"(unknown field "spec.zz")", R"(unknown field "zz")"});
  options.unknown = UnknownFields::kRefuse;
  const auto strict = apply_patch(kPod, R"({"zz":1})", options);
  CHECK(tests::status_of(strict).find("strict decoding error: unknown field \\\"zz\\\"") !=
        std::string::npos);
}

constexpr std::string_view kConfig =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: '1', b: '2'}\n";
const Time kNow = Time::from_unix_milliseconds(1'767'225'600'000);  // 2026-01-01

std::string entry(std::string_view manager, std::string_view operation, std::string_view fields) {
  return R"({"manager":")" + std::string(manager) + R"(","operation":")" + std::string(operation) +
         R"(","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":)" +
         std::string(fields) + "}";
}

std::string config_map(std::string_view entries, std::string_view data) {
  return R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c","managedFields":[)" +
         std::string(entries) + R"(]},"data":)" + std::string(data) + "}";
}

TEST_CASE("server-side apply: creates, gives up, conflicts, takes", "[server]") {
  const auto created = server_side_apply({}, kConfig, {.manager = "one", .now = kNow});
  REQUIRE(created);
  CHECK(created->changed);
  CHECK(created->object == config_map(entry("one", "Apply", R"({"f:data":{"f:a":{},"f:b":{}}})"),
                                      R"({"a":"1","b":"2"})"));

  const std::string smaller = R"({"apiVersion":"v1","kind":"ConfigMap","data":{"a":"1"}})";
  const auto given_up =
      server_side_apply(created->object, smaller, {.manager = "one", .now = kNow});
  CHECK(given_up->object ==
        config_map(entry("one", "Apply", R"({"f:data":{"f:a":{}}})"), R"({"a":"1"})"));

  const std::string other = R"({"apiVersion":"v1","kind":"ConfigMap","data":{"a":"9"}})";
  ApplyOptions options{.manager = "two", .now = kNow};
  const auto refused = server_side_apply(given_up->object, other, options);
  REQUIRE_FALSE(refused);
  CHECK(
      refused.fault().status ==
      R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Apply failed with 1 conflict: conflict with \"one\": .data.a","reason":"Conflict","details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"one\"","field":".data.a"}]},"code":409})");
  REQUIRE(refused.fault().conflicts.size() == 1);
  CHECK(refused.fault().conflicts[0].manager.manager == "one");
  CHECK(refused.fault().conflicts[0].message == R"(conflict with "one")");
  CHECK(refused.fault().conflicts[0].fields == std::vector<std::string>{".data.a"});

  options.force = true;
  const auto forced = server_side_apply(given_up->object, other, options);
  CHECK(forced->object ==
        config_map(entry("two", "Apply", R"({"f:data":{"f:a":{}}})"), R"({"a":"9"})"));
  const auto again = server_side_apply(forced->object, other, options);
  CHECK(again->object == forced->object);
  CHECK_FALSE(again->changed);
}

TEST_CASE("server-side apply: what cannot be applied", "[server]") {
  const auto refusal = [](std::string_view live, std::string_view config,
                          std::string_view manager = "m") {
    const auto applied = server_side_apply(live, config, {.manager = manager});
    REQUIRE_FALSE(applied);
    CHECK(applied.fault().conflicts.empty());
    return applied.fault().status;
  };
  CHECK(refusal({}, kConfig, {}).find("is required for apply patch") != std::string::npos);
  CHECK(refusal({}, "a: [") ==
        failure(400, "BadRequest",
                "error encoding patch: yaml: line 1: did not find expected node content"));
  CHECK(refusal(kPod, kConfig) ==
        failure(400, "BadRequest", "invalid object type: /v1, Kind=ConfigMap"));
  CHECK(refusal({}, R"({"apiVersion":"e.com/v1","kind":"Odd"})") ==
        failure(400, "BadRequest", "no schema is known of this kind of object"));
  CHECK(refusal(kPod, "[]") == failure(400, "BadRequest",
                                       "error decoding patch: error unmarshaling JSON: while "
                                       "decoding JSON: json: cannot unmarshal array into Go value "
                                       "of type map[string]interface {}"));
  CHECK(refusal(kPod, R"({"apiVersion":"v1","kind":"Pod","spec":{"zz":1}})")
            .find("field not declared in schema") != std::string::npos);
  CHECK(refusal(kPod, "").find("invalid object type: /, Kind=") != std::string::npos);
}

TEST_CASE("patching: who patches owns what changes, where somebody owns something", "[server]") {
  const auto live = server_side_apply({}, kConfig, {.manager = "one", .now = kNow});
  PatchOptions options{.media_type = kMergePatch, .manager = "two", .now = kNow};
  CHECK(apply_patch(live->object, R"({"data":{"a":"9"}})", options)->object ==
        config_map(entry("one", "Apply", R"({"f:data":{"f:b":{}}})") + "," +
                       entry("two", "Update", R"({"f:data":{"f:a":{}}})"),
                   R"({"a":"9","b":"2"})"));
  CHECK(apply_patch(live->object, "{}", options)->object == live->object);
  CHECK(apply_patch(R"({"apiVersion":"v1","kind":"ConfigMap"})", R"({"data":{"a":"9"}})", options)
            ->object == R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{},"data":{"a":"9"}})");
}

TEST_CASE("field owners: as JSON has them", "[server]") {
  const auto owners = field_owners(
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:k":{}}},"subresource":"s"}]},"data":{"k":"v"}})");
  REQUIRE(owners);
  REQUIRE(owners->size() == 1);
  CHECK(owners->at(0).path == ".data.k");
  CHECK(owners->at(0).pointer == "/data/k");
  const FieldManager& manager = owners->at(0).managers.at(0);
  CHECK(manager.manager == "m");
  CHECK(manager.operation == "Apply");
  CHECK(manager.api_version == "v1");
  CHECK(manager.subresource == "s");
  CHECK(manager.time == "2026-01-01T00:00:00Z");
  CHECK(tests::status_of(field_owners(R"({"metadata":{"managedFields":[{}]}})")) ==
        failure(400, "BadRequest", "metadata.managedFields cannot be read"));
}

}  // namespace
}  // namespace tabernetes
