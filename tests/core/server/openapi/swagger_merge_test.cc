#include "server/openapi/swagger_merge.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes::server {
namespace {

TEST_CASE("swagger_under: paths of others go, with the definitions that only they use") {
  CHECK(swagger_under(R"({"swagger":"2.0","paths":{)"
                      R"("/apis/a/v1/":{"get":{"schema":{"$ref":"#/definitions/List"}}},)"
                      R"("/apis/a/v10/x":{"get":{"schema":{"$ref":"#/definitions/Ten"}}},)"
                      R"("/version":{"get":{"schema":{"$ref":"#/definitions/Info"}}}},)"
                      R"("definitions":{"List":{"items":{"$ref":"#/definitions/Item"}},"Item":{},)"
                      R"("Ten":{},"Info":{},"Unused":{}}})",
                      "/apis/a/v1/") ==
        R"({"swagger":"2.0","paths":{)"
        R"("/apis/a/v1/":{"get":{"schema":{"$ref":"#/definitions/List"}}}},)"
        R"("definitions":{"List":{"items":{"$ref":"#/definitions/Item"}},"Item":{},"Unused":{}}})");
}

TEST_CASE("swagger_under: definitions that are reached through parameters stay") {
  CHECK(swagger_under(R"({"paths":{"/a/":{"get":{"parameters":[{"$ref":"#/parameters/p"}]}}},)"
                      R"("definitions":{"D":{}},)"
                      R"("parameters":{"p":{"schema":{"$ref":"#/definitions/D"}}}})",
                      "/a/")
            .find(R"("definitions":{"D":{}})") != std::string::npos);
}

TEST_CASE("swagger_under: what is no document becomes empty") {
  CHECK(swagger_under("", "/a").empty());
  CHECK(swagger_under("[]", "/a").empty());
  CHECK(swagger_under(R"({"paths":)", "/a").empty());
  CHECK(swagger_under(R"({"swagger":"2.0"})", "/a") == R"({"swagger":"2.0"})");
}

TEST_CASE("merge_swagger: equal definitions are shared, others are renamed in all references") {
  CHECK(
      merge_swagger(
          R"({"info":{},"paths":{"/b":{}},"definitions":{"Meta":{"a":1},"Same":{"b":2}}})",
          {R"({"info":{"title":"theirs"},"paths":{"/a":{"$ref":"#/definitions/Meta"}},)"
           R"("definitions":{"Meta":{"a":2,"x":{"$ref":"#/definitions/Meta"}},"Same":{"b":2}}})"}) ==
      R"({"info":{},"paths":{"/a":{"$ref":"#/definitions/Meta_v2"},"/b":{}},)"
      R"("definitions":{"Meta":{"a":1},)"
      R"("Meta_v2":{"a":2,"x":{"$ref":"#/definitions/Meta_v2"}},"Same":{"b":2}}})");
}

TEST_CASE("merge_swagger: a definition that was renamed before is used again") {
  constexpr std::string_view kTheirs =
      R"({"paths":{"/a":{"$ref":"#/definitions/D"}},"definitions":{"D":{"a":2}}})";
  constexpr std::string_view kOthers =
      R"({"paths":{"/c":{"$ref":"#/definitions/D"}},"definitions":{"D":{"a":2}}})";
  CHECK(merge_swagger(R"({"paths":{},"definitions":{"D":{"a":1}}})", {kTheirs, kOthers}) ==
        R"({"paths":{"/a":{"$ref":"#/definitions/D_v2"},"/c":{"$ref":"#/definitions/D_v2"}},)"
        R"("definitions":{"D":{"a":1},"D_v2":{"a":2}}})");
}

TEST_CASE("merge_swagger: definitions that differ in their kinds alone have all of them, sorted") {
  CHECK(
      merge_swagger(
          R"({"paths":{},"definitions":{"D":{"a":1,"x-kubernetes-group-version-kind":[)"
          R"({"group":"z","kind":"K","version":"v1"}]}}})",
          {R"({"paths":{"/a":{}},"definitions":{"D":{"a":1,"x-kubernetes-group-version-kind":[)"
           R"({"group":"b","kind":"K","version":"v1"},{"group":"z","kind":"K","version":"v1"}]}}})"}) ==
      R"({"paths":{"/a":{}},"definitions":{"D":{"a":1,"x-kubernetes-group-version-kind":[)"
      R"({"group":"b","kind":"K","version":"v1"},{"group":"z","kind":"K","version":"v1"}]}}})");
}

TEST_CASE("merge_swagger: the first server of a path keeps it; parameters are renamed, too") {
  CHECK(
      merge_swagger(
          R"({"paths":{"/a":{"x":1}},"parameters":{"p":{"n":1}}})",
          {R"({"paths":{"/a":{"x":2},"/b":{"$ref":"#/parameters/p"}},"parameters":{"p":{"n":2}}})",
           "no document", R"({"definitions":{"D":{}}})"}) ==
      R"({"paths":{"/a":{"x":1},"/b":{"$ref":"#/parameters/p_v2"}},)"
      R"("parameters":{"p":{"n":1},"p_v2":{"n":2}}})");
}

}  // namespace
}  // namespace tabernetes::server
