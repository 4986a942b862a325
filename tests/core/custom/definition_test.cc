// Invalid definitions. Messages are a real server's (tests/conformance/golden/crd.json) and
// upstream's.
#include <catch2/catch_test_macros.hpp>

#include "codec/json_reader.h"
#include "custom/definition/validate_definition.h"
#include "registry/kind/warnings.h"
#include "schema/decode.h"

namespace tabernetes::registry::custom {
namespace {

using json::Arena;
using json::Value;

Value typed(std::string_view text, Arena& arena) {
  const schema::Type* type = schema::Catalogue::built_in().find_kind("apiextensions.k8s.io", "v1",
                                                                     "CustomResourceDefinition");
  REQUIRE(type != nullptr);
  auto result = schema::decode_typed(*type, codec::read_json(text, arena).value, arena);
  REQUIRE(result.error.empty());
  return result.value;
}

std::string definition(std::string_view version_parts) {
  return R"({"metadata":{"name":"as.x.y"},"spec":{"group":"x.y","scope":"Cluster","names":{
      "plural":"as","singular":"a","kind":"A","listKind":"AList"},"conversion":{"strategy":"None"},
      "versions":[{"name":"v1","served":true,"storage":true,)" +
         std::string(version_parts) + R"(}]},"status":{"storedVersions":["v1"]}})";
}

std::string errors_of(std::string_view text) {
  Arena arena;
  field::ErrorList errors;
  const Value object = typed(text, arena);
  validate_definition(validation::Field(object, errors));
  std::string all;
  for (const field::Error& error : errors) all += error.field + ": " + error.message + "\n";
  return all;
}

std::string schema_errors(std::string_view schema) {
  const std::string parts = R"("schema":{"openAPIV3Schema":)" + std::string(schema) + "}";
  std::string errors = errors_of(definition(parts));
  constexpr std::string_view kPrefix = "spec.validation.openAPIV3Schema";
  for (std::size_t at; (at = errors.find(kPrefix)) != std::string::npos;) {
    errors.erase(at, kPrefix.size());
  }
  return errors;
}

TEST_CASE("definitions: schemas", "[registry]") {
  struct Case {
    std::string_view schema, errors;
  };
  static constexpr Case kCases[] = {
      {R"({"type":"object","properties":{"spec":{"type":"object"}}})", ""},
      {"{}", ".type: Required value: must not be empty at the root\n"},
      {R"({"type":"array"})",
       ".items: Required value: must be specified\n"
       ".type: Invalid value: \"array\": must be object at the root\n"},
      {R"({"type":"object","properties":{"a":{},"l":{"type":"array","items":{}}}})",
       ".properties[a].type: Required value: must not be empty for specified object fields\n"
       ".properties[l].items.type: Required value: must not be empty for specified array items\n"},
      {R"({"type":"object","properties":{"a":{"type":"widget"}}})",
       ".properties[a].type: Unsupported value: \"widget\": supported values: \"array\", "
       "\"boolean\", \"integer\", \"number\", \"object\", \"string\"\n"},
      {R"({"type":"object","properties":{"a":{"type":"string","$ref":"x"}}})",
       ".properties[a].$ref: Forbidden: $ref is not supported\n"},
      {R"({"type":"object","$schema":"x"})",
       ": Invalid value: \"\": OpenAPIV3Schema 'schema' is not supported\n"},
      {R"({"type":"object","properties":{"a":{"x-kubernetes-int-or-string":true,
           "anyOf":[{"type":"integer"},{"type":"string"}]}}})",
       ""},
      {R"({"type":"object","properties":{"a":{"type":"string","anyOf":[{"type":"string"},
           {"description":"x","minLength":1}]}}})",
       ".properties[a].anyOf[0].type: Forbidden: must be empty to be structural\n"
       ".properties[a].anyOf[1].description: Forbidden: must be empty to be structural\n"},
      // Upstream checks anyOf, allOf and oneOf of the root only.
      {R"({"type":"object","oneOf":[{"properties":{"b":{"minimum":1}}}],"properties":{"a":{
           "type":"object","oneOf":[{"properties":{"b":{"minimum":1}}}]}}})",
       ".properties[b]: Required value: because it is defined in .oneOf[0].properties[b]\n"},
      {R"({"type":"object","properties":{"a":{"type":"string","pattern":"["}}})",
       ".properties[a].pattern: Invalid value: \"[\": must be a valid regular expression, but "
       "isn't: error parsing regexp: missing closing ]: `[`\n"},
      {R"({"type":"object","properties":{"metadata":{"type":"object","description":"x"},
           "apiVersion":{"type":"integer"}}})",
       ".properties[apiVersion].type: Invalid value: \"integer\": must be string\n"
       ".properties[metadata]: Forbidden: must not specify anything other than name and "
       "generateName, but metadata is implicitly specified\n"},
      {R"({"type":"object","properties":{"metadata":{"type":"object","properties":{"name":{
           "type":"string","maxLength":5}}}}})",
       ""},
      {R"({"type":"object","properties":{"l":{"type":"array","x-kubernetes-list-type":"set",
           "items":{"type":"object"}}}})",
       ".properties[l].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of "
       "a list with x-kubernetes-list-type=set\n"},
      {R"({"type":"object","properties":{"l":{"type":"array","x-kubernetes-list-type":"map",
           "x-kubernetes-list-map-keys":["k","z","k"],"items":{"type":"object","nullable":true,
           "properties":{"k":{"type":"string","nullable":true}}}}}})",
       ".properties[l].x-kubernetes-list-map-keys: Invalid value: [\"k\",\"z\",\"k\"]: entries "
       "must all be names of item properties\n"
       ".properties[l].x-kubernetes-list-map-keys: Invalid value: [\"k\",\"z\",\"k\"]: must not "
       "contain duplicate entries\n"
       ".properties[l].items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type "
       "is "
       "map\n"
       ".properties[l].items.properties[k].default: Required value: this property is in "
       "x-kubernetes-list-map-keys, so it must have a default or be a required property\n"
       ".properties[l].items.properties[k].nullable: Forbidden: this property is in "
       "x-kubernetes-list-map-keys, so it cannot be nullable\n"
       ".properties[l].items.properties[k].default: Required value: this property is in "
       "x-kubernetes-list-map-keys, so it must have a default or be a required property\n"
       ".properties[l].items.properties[k].nullable: Forbidden: this property is in "
       "x-kubernetes-list-map-keys, so it cannot be nullable\n"},
      {R"({"type":"object","properties":{"a":{"type":"integer","default":"x"}}})",
       ".properties[a].default: Invalid value: \"string\":  in body must be of type integer: "
       "\"string\"\n"},
      {R"({"type":"object","properties":{"a":{"type":"object","default":{"b":1}}}})",
       ".properties[a].default: Invalid value: {\"b\":1}: must not have unknown fields\n"},
      {R"({"type":"object","properties":{"a":{"type":"string","x-kubernetes-validations":[
           {"rule":" "},{"rule":"a\nb"},{"rule":"a","reason":"X","fieldPath":".b"}]}}})",
       ".properties[a].x-kubernetes-validations[0].rule: Required value: rule is not specified\n"
       ".properties[a].x-kubernetes-validations[1].message: Required value: message must be "
       "specified if rule contains line breaks\n"
       ".properties[a].x-kubernetes-validations[2].reason: Unsupported value: \"X\": supported "
       "values: \"FieldValueDuplicate\", \"FieldValueForbidden\", \"FieldValueInvalid\", "
       "\"FieldValueRequired\"\n"
       ".properties[a].x-kubernetes-validations[2].fieldPath: Invalid value: \".b\": must be a "
       "valid path\n"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.schema) { CHECK(schema_errors(c.schema) == c.errors); }
  }
}

TEST_CASE("definitions: few keywords are allowed at a root with status", "[registry]") {
  const std::string errors = errors_of(definition(
      R"("subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object","nullable":true}})"));
  CHECK(
      errors.starts_with("spec.validation.openAPIV3Schema: Invalid value: {\"ID\":\"\",\"Schema\":"
                         "\"\",\"Ref\":null,\"Description\":\"\",\"Type\":\"object\",\"Nullable\":"
                         "true,\"Format\":\"\",\"Title\":\"\",\"Default\":null,\"Maximum\":null,"));
  CHECK(errors.find("\"XMapType\":null,\"XValidations\":null}: only [Description Type") !=
        std::string::npos);
}

TEST_CASE("definitions: an update checks names and stored versions", "[registry]") {
  const std::string text = definition(R"("schema":{"openAPIV3Schema":{"type":"object"}})");
  Arena arena;
  const Value old = typed(text, arena);
  std::string changed = text;
  const auto replace = [&changed](std::string_view from, std::string_view to) {
    changed.replace(changed.find(from), from.size(), to);
  };
  replace(R"("scope":"Cluster")", R"("scope":"Namespaced")");
  replace(R"("plural":"as")", R"("plural":"bs")");
  replace(R"("storedVersions":["v1"])", R"("storedVersions":["v1","v0"])");
  const Value now = typed(changed, arena);
  field::ErrorList errors;
  validate_definition_update(validation::Field(now, errors), validation::Field(old, errors));
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].field == "spec.names.plural");
  CHECK(errors[0].message == "Invalid value: \"bs\": field is immutable");
  CHECK(errors[1].field == "status.storedVersions[1]");
}

TEST_CASE("definitions: new unknown formats cause warnings", "[registry]") {
  Arena arena;
  const Value object =
      typed(definition(R"("schema":{"openAPIV3Schema":{"type":"object","properties":{
          "a":{"type":"string","format":"odd"},"b":{"type":"integer","format":"date"},
          "c":{"type":"string","format":"date-time"}}}})"),
            arena);
  field::ErrorList errors;
  std::vector<std::string> texts;
  Warnings warnings(texts, arena);
  definition_warnings(validation::Field(object, errors), nullptr, warnings);
  CHECK(texts ==
        std::vector<std::string>{"unrecognized format \"odd\"", "unrecognized format \"date\""});
  definition_warnings(validation::Field(object, errors), &object, warnings);
  CHECK(texts.size() == 2);
}

}  // namespace
}  // namespace tabernetes::registry::custom
