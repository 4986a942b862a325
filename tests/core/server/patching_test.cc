// The functions that patch without a server: tabernetes/patch.h.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tabernetes/patch.h"

namespace tabernetes {
namespace {

constexpr std::string_view kJsonPatch = "application/json-patch+json";
constexpr std::string_view kMergePatch = "application/merge-patch+json";
constexpr std::string_view kStrategic = "application/strategic-merge-patch+json";

std::string patched(std::string_view object, std::string_view patch, std::string_view type) {
  const Patched given = apply_patch(object, patch, {.media_type = type});
  return given.failure.empty() ? given.object : given.failure;
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
  const Patched lax = apply_patch(kPod, R"({"spec":{"zz":1},"zz":1})", options);
  CHECK(lax.failure.empty());
  CHECK(lax.warnings ==
        std::vector<std::string>{R"(unknown field "spec.zz")", R"(unknown field "zz")"});
  options.unknown = UnknownFields::kRefuse;
  const Patched strict = apply_patch(kPod, R"({"zz":1})", options);
  CHECK(strict.failure.find("strict decoding error: unknown field \\\"zz\\\"") !=
        std::string::npos);
}

TEST_CASE("field owners: as JSON has them", "[server]") {
  const FieldOwners owners = field_owners(
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:k":{}}},"subresource":"s"}]},"data":{"k":"v"}})");
  REQUIRE(owners.fields.size() == 1);
  CHECK(owners.fields[0].path == ".data.k");
  CHECK(owners.fields[0].pointer == "/data/k");
  const FieldManager& manager = owners.fields[0].managers.at(0);
  CHECK(manager.manager == "m");
  CHECK(manager.operation == "Apply");
  CHECK(manager.api_version == "v1");
  CHECK(manager.subresource == "s");
  CHECK(manager.time == "2026-01-01T00:00:00Z");
  CHECK(field_owners(R"({"metadata":{"managedFields":[{}]}})").failure ==
        failure(400, "BadRequest", "metadata.managedFields cannot be read"));
}

}  // namespace
}  // namespace tabernetes
