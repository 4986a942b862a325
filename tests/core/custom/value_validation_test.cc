// Validation of values by schemas. Messages are a real server's (tests/conformance/golden/crd.json)
// and those of kube-openapi's tests.
#include "custom/schema/value_validation.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "custom/schema/coerce.h"
#include "custom/schema/embedded_objects.h"

namespace tabernetes::registry::custom {
namespace {

using json::Arena;
using json::Value;
using schema::StructuralSchema;

Value read(std::string_view text, Arena& arena) { return codec::read_json(text, arena).value; }

std::string written(const Value& value) {
  std::string text;
  codec::write_json(value, text);
  return text;
}

std::string lines(const field::ErrorList& errors) {
  std::string all;
  for (const field::Error& error : errors) all += error.field + ": " + error.message + "\n";
  return all;
}

TEST_CASE("values: the errors of each keyword", "[registry]") {
  struct Case {
    std::string_view name, schema, value, errors;
  };
  static constexpr Case kCases[] = {
      {"type", R"({"type":"integer"})", R"("x")",
       "a: Invalid value: \"string\": a in body must be of type integer: \"string\"\n"},
      {"an integer is a number", R"({"type":"number"})", "1", ""},
      {"1.0 is an integer", R"({"type":"integer"})", "1.0", ""},
      {"1.5 is none, and does not fit into one", R"({"type":"integer"})", "1.5",
       "a: Invalid value: \"number\": a in body must be of type integer: \"number\"\n"
       "<nil>: Invalid value: \"\": Checked value must be of type integer (default format) in a\n"},
      {"int-or-string", R"({"x-kubernetes-int-or-string":true})", "true",
       "a: Invalid value: \"boolean\": a in body must be of type integer,string: \"boolean\"\n"},
      {"null", R"({"type":"string"})", "null",
       "a: Invalid value: \"null\": a in body must be of type string: \"null\"\n"},
      {"null where it may be", R"({"type":"string","nullable":true,"minLength":1})", "null", ""},
      {"maximum", R"({"type":"integer","maximum":10})", "11",
       "a: Invalid value: 11: a in body should be less than or equal to 10\n"},
      {"exclusive", R"({"type":"integer","minimum":1,"exclusiveMinimum":true})", "1",
       "a: Invalid value: 1: a in body should be greater than 1\n"},
      {"of floats", R"({"type":"number","minimum":1.5})", "0.5",
       "a: Invalid value: 0.5: a in body should be greater than or equal to 1.5\n"},
      {"floats print as Go's %v", R"({"type":"number","maximum":1000000})", "1e20",
       "a: Invalid value: 1e+20: a in body should be less than or equal to 1e+06\n"},
      {"whole numbers that a bound makes floats", R"({"type":"integer","maximum":2.5})",
       "3000000000",
       "<nil>: Invalid value: \"\": Maximum boundary value must be of type integer (default "
       "format) "
       "in a\na: Invalid value: 3e+09: a in body should be less than or equal to 2.5\n"},
      {"multipleOf", R"({"type":"integer","multipleOf":5})", "7",
       "a: Invalid value: 7: a in body should be a multiple of 5\n"},
      {"int32", R"({"type":"integer","format":"int32"})", "3000000000",
       "<nil>: Invalid value: \"\": Checked value must be of type integer with format int32 in "
       "a\n"},
      {"lengths count characters", R"({"type":"string","maxLength":2})", R"("äöü")",
       "a: Too long: may not be more than 2 bytes\n"},
      {"minLength", R"({"type":"string","minLength":1})", R"("")",
       "a: Invalid value: \"\": a in body should be at least 1 chars long\n"},
      {"pattern", R"({"type":"string","pattern":"^[a-z]+$"})", R"("X")",
       "a: Invalid value: \"X\": a in body should match '^[a-z]+$'\n"},
      {"of a text only the first", R"({"type":"string","pattern":"^[a-z]+$","minLength":2})",
       R"("X")", "a: Invalid value: \"X\": a in body should be at least 2 chars long\n"},
      {"format", R"({"type":"string","format":"date-time"})", R"("foo")",
       "a: Invalid value: \"foo\": a in body must be of type date-time: \"foo\"\n"},
      {"format of another type", R"({"type":"string","format":"date-time"})", "1",
       "a: Invalid value: \"int64\": a in body must be of type date-time: \"int64\"\n"},
      {"enum", R"({"type":"string","enum":["a","b"]})", R"("c")",
       "a: Unsupported value: \"c\": supported values: \"a\", \"b\"\n"},
      {"enum of others", R"({"enum":[1,true,{"x":1}]})", "2",
       "a: Unsupported value: 2: supported values: \"1\", \"true\", \"{\\\"x\\\":1}\"\n"},
      {"items", R"({"type":"array","items":{"type":"integer"},"minItems":3})", R"([1,"x"])",
       "a[1]: Invalid value: \"string\": a[1] in body must be of type integer: \"string\"\n"
       "a: Invalid value: 2: a in body should have at least 3 items\n"},
      {"maxItems", R"({"type":"array","items":{},"maxItems":1})", "[1,2]",
       "a: Too many: 2: must have at most 1 item\n"},
      {"required", R"({"type":"object","required":["x","y"]})", R"({"y":1})",
       "a.x: Required value\n"},
      {"properties", R"({"type":"object","minProperties":2,"properties":{"x":{"type":"string"}}})",
       R"({"x":1})",
       "a: Invalid value: 1: a in body should have at least 2 properties\n"
       "a.x: Invalid value: \"integer\": a.x in body must be of type string: \"integer\"\n"},
      {"maxProperties", R"({"type":"object","maxProperties":1})", R"({"x":1,"y":2})",
       "a: Too many: 2: must have at most 1 item\n"},
      {"no others", R"({"type":"object","additionalProperties":false})", R"({"x":1})",
       "a: Invalid value: \"x\": a.x in body is a forbidden property\n"},
      {"free ones", R"({"type":"object","additionalProperties":{"type":"string"}})", R"({"x":1})",
       "a.x: Invalid value: \"integer\": a.x in body must be of type string: \"integer\"\n"},
      {"anyOf tells of the best", R"({"anyOf":[{"required":["x"]},{"minProperties":2}]})", "{}",
       "<nil>: Invalid value: \"\": \"a\" must validate at least one schema (anyOf)\n"
       "a.x: Required value\n"},
      {"oneOf, none", R"({"oneOf":[{"enum":[1]},{"enum":[2]}]})", "3",
       "<nil>: Invalid value: \"\": \"a\" must validate one and only one schema (oneOf). Found "
       "none "
       "valid\na: Unsupported value: 3: supported values: \"1\"\n"},
      {"oneOf, several", R"({"oneOf":[{"enum":[1]},{"minimum":0},{"maximum":5}]})", "1",
       "<nil>: Invalid value: \"\": \"a\" must validate one and only one schema (oneOf). Found 3 "
       "valid alternatives\n"},
      {"allOf", R"({"allOf":[{"minimum":3},{"maximum":5}]})", "1",
       "a: Invalid value: 1: a in body should be greater than or equal to 3\n"
       "<nil>: Invalid value: \"\": \"a\" must validate all the schemas (allOf)\n"},
      {"allOf, none", R"({"allOf":[{"minimum":3}]})", "1",
       "a: Invalid value: 1: a in body should be greater than or equal to 3\n"
       "<nil>: Invalid value: \"\": \"a\" must validate all the schemas (allOf). None validated\n"},
      {"not", R"({"not":{"enum":[1]}})", "1",
       "<nil>: Invalid value: \"\": \"a\" must not validate the schema (not)\n"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) {
      Arena arena;
      Value properties = Value::object(arena), root = Value::object(arena);
      properties.append(arena, "a", read(c.schema, arena));
      root.append(arena, "properties", properties);
      Value object = Value::object(arena);
      object.append(arena, "a", read(c.value, arena));
      field::ErrorList errors;
      validate_value(object, StructuralSchema::compile(root)->root(), field::Path(), errors);
      CHECK(lines(errors) == c.errors);
    }
  }
}

TEST_CASE("values: errors have the path of the part", "[registry]") {
  Arena arena;
  const auto schema = StructuralSchema::compile(
      read(R"({"type":"object","properties":{"num":{"type":"integer","maximum":10}}})", arena));
  field::ErrorList errors;
  validate_value(read(R"({"num":15})", arena), schema->root(), field::Path("status"), errors);
  validate_value(read(R"("x")", arena), schema->root(), field::Path("status"), errors);
  CHECK(lines(errors) ==
        "status.num: Invalid value: 15: num in body should be less than or equal to 10\n"
        "status: Invalid value: \"string\":  in body must be of type object: \"string\"\n");
}

TEST_CASE("values: errors in unchanged parts are tolerated", "[registry]") {
  constexpr std::string_view kSchema =
      R"({"type":"object","properties":{
          "kind":{"type":"integer"},
          "a":{"type":"string","maxLength":1},
          "o":{"type":"object","minProperties":3,"properties":{"x":{"type":"string"},"y":{}}},
          "l":{"type":"array","items":{"type":"string","maxLength":1}},
          "m":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],
               "items":{"type":"object","properties":{"k":{"type":"string"},
                        "v":{"type":"integer","maximum":1}}}}}})";
  struct Case {
    std::string_view name, old, value, errors;
  };
  static constexpr Case kCases[] = {
      {"a member", R"({"a":"xx"})", R"({"a":"xx","o":{"x":"1","y":1,"z":1}})", ""},
      {"not a changed one", R"({"a":"xx"})", R"({"a":"yy"})",
       "a: Too long: may not be more than 1 byte\n"},
      {"its parent tells of itself", R"({"o":{"x":1,"y":1}})", R"({"o":{"x":1,"y":2}})",
       "o: Invalid value: 2: o in body should have at least 3 properties\n"},
      {"items of plain lists only together", R"({"l":["xx","y"]})", R"({"l":["xx","z"]})",
       "l[0]: Too long: may not be more than 1 byte\n"},
      {"the same list", R"({"l":["xx"]})", R"({"l":["xx"]})", ""},
      {"keyed items wherever they are", R"({"m":[{"k":"a","v":5}]})",
       R"({"m":[{"k":"b","v":1},{"k":"a","v":5}]})", ""},
      {"but not under another key", R"({"m":[{"k":"a","v":5}]})", R"({"m":[{"k":"b","v":5}]})",
       "m[0].v: Invalid value: 5: m[0].v in body should be less than or equal to 1\n"},
      {"kind is always looked at", R"({"kind":"X","a":"1"})", R"({"kind":"X","a":"2"})",
       "kind: Invalid value: \"string\": kind in body must be of type integer: \"string\"\n"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.name) {
      Arena arena;
      const auto schema = StructuralSchema::compile(read(kSchema, arena));
      const Value old = read(c.old, arena);
      field::ErrorList errors;
      validate_value(read(c.value, arena), schema->root(), field::Path(), errors, {.old = &old});
      CHECK(lines(errors) == c.errors);
    }
  }
}

TEST_CASE("values: lists of type set and map have no duplicates", "[registry]") {
  struct Case {
    std::string_view schema, value, errors;
  };
  static constexpr Case kCases[] = {
      {R"({"items":{},"x-kubernetes-list-type":"set"})", R"(["a","b","a","a"])",
       "a[2]: Duplicate value: \"a\"\n"},
      {R"({"items":{},"x-kubernetes-list-type":"set"})", R"([{"y":1,"x":2},{"x":2,"y":1},1,1.5])",
       "a[1]: Duplicate value: {\"x\":2,\"y\":1}\n"},
      {R"({"items":{},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"]})",
       R"([{"k":"a","v":1},{"k":"a"},{},{}])",
       "a[1]: Duplicate value: {\"k\":\"a\"}\na[3]: Duplicate value: {}\n"},
      {R"({"items":{},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["p","n"]})",
       R"([{"p":1,"n":"a"},{"p":2,"n":"a"},{"p":1,"n":"a","v":1}])",
       "a[2]: Duplicate value: {\"n\":\"a\",\"p\":1}\n"},
      {R"({"items":{},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"]})", "[1]",
       "a[0]: Invalid value: 1: must be an object for an array of list-type map\n"},
      {R"({"items":{"additionalProperties":{"items":{},"x-kubernetes-list-type":"set"}}})",
       R"([{"k":[1,1]}])", "a[0][k][1]: Duplicate value: 1\n"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.schema << c.value) {
      Arena arena;
      field::ErrorList errors;
      validate_lists(read(c.value, arena), StructuralSchema::compile(read(c.schema, arena))->root(),
                     field::Path("a"), errors);
      CHECK(lines(errors) == c.errors);
    }
  }
}

TEST_CASE("custom resources: metadata is decoded like every object's", "[registry]") {
  Arena arena;
  const auto schema = StructuralSchema::compile(
      read(R"({"type":"object","properties":{"spec":{"type":"object","properties":{"e":
              {"type":"object","x-kubernetes-embedded-resource":true,
               "x-kubernetes-preserve-unknown-fields":true}}}}})",
           arena));
  SECTION("of what a client sends") {
    Value object = read(R"({"metadata":{"name":"a","zz":1,"labels":{"a":"b"}},"spec":{"u":1,
        "e":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","y":1},"x":1}}})",
                        arena);
    std::vector<std::string> unknown;
    CHECK(conform(object, schema->root(), arena, {.unknown = &unknown}) == "");
    CHECK(written(object) ==
          R"({"metadata":{"name":"a","labels":{"a":"b"}},"spec":{"e":{"apiVersion":"v1",)"
          R"("kind":"Pod","metadata":{"name":"p"},"x":1}}})");
    CHECK(unknown == std::vector<std::string>{"metadata.zz", "spec.u", "spec.e.metadata.y"});
  }
  SECTION("of the wrong type") {
    Value object = read(R"({"metadata":{"labels":1}})", arena);
    CHECK(conform(object, schema->root(), arena) ==
          "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type "
          "map[string]string");
    Value embedded = read(R"({"spec":{"e":{"metadata":{"labels":1}}}})", arena);
    CHECK(conform(embedded, schema->root(), arena) ==
          "spec.e.metadata: Invalid value: {\"labels\":1}: json: cannot unmarshal number into Go "
          "struct field ObjectMeta.labels of type map[string]string");
  }
  SECTION("of what is stored") {
    Value object = read(R"({"metadata":{"name":"a","labels":1}})", arena);
    CHECK(conform(object, schema->root(), arena, {.stored = true}) == "");
    CHECK(written(object) == R"({"metadata":{"name":"a","generation":1}})");
  }
  SECTION("is validated") {
    field::ErrorList errors;
    validate_embedded(
        read(R"({"spec":{"e":{"apiVersion":"a/b/c","kind":"x_","metadata":{"name":"a/b"}}}})",
             arena),
        schema->root(), schema::Whole::kPart, field::Path(), errors);
    validate_embedded(read(R"({"spec":{"e":{"apiVersion":""}}})", arena), schema->root(),
                      schema::Whole::kPart, field::Path(), errors);
    CHECK(lines(errors) ==
          "spec.e.apiVersion: Invalid value: \"a/b/c\": unexpected GroupVersion string: a/b/c\n"
          "spec.e.kind: Invalid value: \"x_\": may have mixed case, but should otherwise match: a "
          "DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
          "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or "
          "'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')\n"
          "spec.e.metadata.name: Invalid value: \"a/b\": may not contain '/'\n"
          "spec.e.kind: Required value\n"
          "spec.e.apiVersion: Invalid value: \"\": must not be empty\n");
  }
}

}  // namespace
}  // namespace tabernetes::registry::custom
