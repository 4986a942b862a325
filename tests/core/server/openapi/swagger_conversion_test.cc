#include "server/openapi/swagger_conversion.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes::server {
namespace {

TEST_CASE(
    "swagger_as_v3: definitions become schemas, and references that have company stand alone") {
  CHECK(
      swagger_as_v3(
          R"({"swagger":"2.0","info":{"title":"T"},"paths":{},"definitions":{)"
          R"("A":{"type":"object","properties":{"b":{"$ref":"#/definitions/B"},)"
          R"("c":{"description":"d","$ref":"#/definitions/B"},)"
          R"("l":{"type":"array","items":{"$ref":"#/definitions/B"}},)"
          R"("m":{"additionalProperties":{"$ref":"#/definitions/B"}}}},"B":{"type":"string"}}})") ==
      R"({"openapi":"3.0.0","info":{"title":"T"},"paths":{},"components":{"schemas":{)"
      R"("A":{"type":"object","properties":{"b":{"$ref":"#/components/schemas/B"},)"
      R"("c":{"description":"d","allOf":[{"$ref":"#/components/schemas/B"}]},)"
      R"("l":{"type":"array","items":{"$ref":"#/components/schemas/B"}},)"
      R"("m":{"additionalProperties":{"$ref":"#/components/schemas/B"}}}},)"
      R"("B":{"type":"string"}}}})");
}

TEST_CASE("swagger_as_v3: operations have their bodies and answers by media type") {
  CHECK(swagger_as_v3(
            R"({"paths":{"/a":{"post":{"operationId":"make","consumes":["application/json"],)"
            R"("produces":["application/json","application/yaml"],"x-kubernetes-action":"post",)"
            R"("parameters":[{"in":"body","name":"body","schema":{"$ref":"#/definitions/A"}},)"
            R"({"in":"query","name":"dryRun","type":"string","uniqueItems":true},)"
            R"({"$ref":"#/parameters/p"}],)"
            R"("responses":{"200":{"description":"OK","schema":{"$ref":"#/definitions/A"}},)"
            R"("401":{"description":"Unauthorized"}}},)"
            R"("parameters":[{"in":"path","name":"n","required":true,"type":"string"}]}}})") ==
        R"({"openapi":"3.0.0","paths":{"/a":{"post":{"operationId":"make",)"
        R"("requestBody":{"content":{"application/json":{"schema":{"$ref":)"
        R"("#/components/schemas/A"}}}},)"
        R"("parameters":[{"name":"dryRun","in":"query","schema":{"type":"string",)"
        R"("uniqueItems":true}},{"$ref":"#/components/parameters/p"}],)"
        R"("responses":{"200":{"description":"OK","content":{)"
        R"("application/json":{"schema":{"$ref":"#/components/schemas/A"}},)"
        R"("application/yaml":{"schema":{"$ref":"#/components/schemas/A"}}}},)"
        R"("401":{"description":"Unauthorized"}},"x-kubernetes-action":"post"},)"
        R"("parameters":[{"name":"n","in":"path","required":true,"schema":{"type":"string"}}]}},)"
        R"("components":{}})");
}

TEST_CASE("swagger_as_v3: security schemes") {
  CHECK(swagger_as_v3(R"({"securityDefinitions":{"T":{"type":"apiKey","name":"authorization",)"
                      R"("in":"header","description":"d"},)"
                      R"("O":{"type":"oauth2","flow":"implicit","authorizationUrl":"u"}}})") ==
        R"({"openapi":"3.0.0","components":{"securitySchemes":{)"
        R"("T":{"type":"apiKey","description":"d","name":"authorization","in":"header"},)"
        R"("O":{"type":"oauth2","flows":{"implicit":{"authorizationUrl":"u"}}}}}})");
}

TEST_CASE("swagger_as_v3: what is no document becomes empty, and odd documents do no harm") {
  CHECK(swagger_as_v3("").empty());
  CHECK(swagger_as_v3("7").empty());
  CHECK(swagger_as_v3(R"({"paths":[],"definitions":3})") ==
        R"({"openapi":"3.0.0","components":{}})");
  CHECK(swagger_as_v3(R"({"paths":{"/a":{"get":{"parameters":[1],"responses":{"200":4}}}}})") ==
        R"({"openapi":"3.0.0","paths":{"/a":{"get":{"responses":{"200":4}}}},"components":{}})");
}

}  // namespace
}  // namespace tabernetes::server
