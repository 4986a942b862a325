#include "schema/unstructured.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/json_reader.h"

namespace tabernetes::schema {
namespace {

std::string error_of(std::string_view group, std::string_view version, std::string_view kind,
                     std::string_view text) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(text, arena);
  REQUIRE(read.error.empty());
  const Type* type = Catalogue::built_in().find_kind(group, version, kind);
  REQUIRE(type != nullptr);
  return convert_unstructured(*type, read.value);
}

std::string pod_error(std::string_view text) { return error_of("", "v1", "Pod", text); }

TEST_CASE("unstructured: what does not fit a field, in the converter's words", "[schema]") {
  CHECK(pod_error(R"({"spec":"x"})") == "cannot restore struct from: string");
  CHECK(pod_error(R"({"spec":[]})") == "cannot restore struct from: slice");
  CHECK(pod_error(R"({"spec":{"containers":{"name":"a"}}})") == "cannot restore slice from map");
  CHECK(pod_error(R"({"spec":{"containers":[1]}})") == "cannot restore struct from: int64");
  CHECK(pod_error(R"({"metadata":{"labels":[1]}})") == "cannot restore map from slice");
  CHECK(pod_error(R"({"metadata":{"labels":{"a":1}}})") == "cannot convert int64 to string");
  CHECK(pod_error(R"({"metadata":{"labels":{"a":1.5}}})") == "unrecognized type: string");
  CHECK(pod_error(R"({"metadata":{"labels":{"a":true}}})") == "unrecognized type: string");
  CHECK(pod_error(R"({"metadata":{"name":{}}})") == "unrecognized type: string");
  CHECK(pod_error(R"({"spec":{"restartPolicy":1}})") == "cannot convert int64 to v1.RestartPolicy");
  CHECK(pod_error(R"({"spec":{"hostNetwork":"x"}})") == "unrecognized type: bool");
  CHECK(pod_error(R"({"spec":{"priority":"x"}})") == "unrecognized type: int32");
  CHECK(pod_error(R"({"spec":{"priority":1.5}})") == "cannot convert float64 to int32");
  CHECK(pod_error(R"({"spec":{"terminationGracePeriodSeconds":[]}})") ==
        "unrecognized type: int64");
  CHECK(error_of("", "v1", "PersistentVolumeClaim", R"({"spec":{"accessModes":[1]}})") ==
        "cannot convert int64 to v1.PersistentVolumeAccessMode");
  CHECK(error_of("", "v1", "Secret", R"({"data":{"a":true}})") == "cannot restore slice from bool");
}

TEST_CASE("unstructured: numbers as Go converts them", "[schema]") {
  const auto priority = [](std::string_view number) {
    json::Arena arena;
    const std::string text = R"({"spec":{"priority":)" + std::string(number) + "}}";
    const codec::JsonRead read = codec::read_json(text, arena);
    REQUIRE(read.error.empty());
    CHECK(convert_unstructured(*Catalogue::built_in().find_kind("", "v1", "Pod"), read.value)
              .empty());
    return read.value.at({"spec", "priority"})->as_int();
  };
  CHECK(priority("1.0") == 1);
  CHECK(priority("1e3") == 1000);
  CHECK(priority("-0.0") == 0);
  CHECK(priority("10000000000") == 1410065408);
  CHECK(priority("9223372036854775807") == -1);
  CHECK(priority("9223372036854775808") == 0);
  CHECK(priority("-1e300") == 0);
}

TEST_CASE("unstructured: the first field of the type that does not fit", "[schema]") {
  CHECK(pod_error(R"({"spec":{"restartPolicy":true,"containers":"x"}})") ==
        "cannot restore slice from string");
}

TEST_CASE("unstructured: what fits, and what reads itself", "[schema]") {
  CHECK(pod_error(R"({"metadata":null,"spec":{"priority":1.0,"containers":[null],)"
                  R"("overhead":{"cpu":[]},"unknown":1}})") == "");
  CHECK(error_of("apps", "v1", "Deployment",
                 R"({"spec":{"strategy":{"rollingUpdate":{"maxSurge":true}}}})") == "");
}

}  // namespace
}  // namespace tabernetes::schema
