#include "admission/policy_evaluation.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/json_reader.h"

namespace tabernetes::admission {
namespace {

using json::Value;

// Parses JSON written with ' for ".
Value parse(std::string text, json::Arena& arena) {
  std::replace(text.begin(), text.end(), '\'', '"');
  const codec::JsonRead read = codec::read_json(arena.copy(text), arena);
  REQUIRE(read.error.empty());
  return read.value;
}

// Returns the violations of a policy with this spec by `object`, one message per line; those
// regardless of the binding's actions end with `!`.
std::string against(const std::string& spec, const std::string& object) {
  json::Arena arena;
  Value policy = Value::object(arena);
  policy.append(arena, "spec", parse(spec, arena));
  const CompiledPolicy program(policy);
  const PolicyInputs inputs{parse(object, arena), {}, {}, Value::object(arena), {}, arena};
  std::string text;
  AuditTexts texts;
  for (const Denial& denial : evaluate(program, inputs, texts)) {
    text += denial.message + (denial.always ? " !\n" : "\n");
  }
  return text;
}

TEST_CASE("policies: a variable is evaluated on first use, once", "[admission]") {
  const std::string spec =
      "{'variables': ["
      "  {'name': 'bad', 'expression': 'object.missing'},"
      "  {'name': 'costly', 'expression': 'object.l.all(a, object.l.all(b, object.l.all(c, "
      "true)))'}"
      "], 'validations': ["
      "  {'expression': 'object.a == 1 || variables.bad == 1'}," +
      [] {
        std::string many;
        for (int i = 0; i < 60; ++i) many += "{'expression': 'variables.costly'},";
        return many;
      }() +
      "  {'expression': '!variables.costly'}]}";
  const std::string list =
      "'l': [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
      "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}";
  CHECK(against(spec, "{'a': 1, " + list) == "failed expression: !variables.costly\n");
  CHECK(against(spec, "{'a': 2, " + list) ==
        "expression 'object.a == 1 || variables.bad == 1' resulted in error: composited variable "
        "\"bad\" fails to evaluate: no such key: missing\n"
        "failed expression: !variables.costly\n");
}

TEST_CASE("policies: cost limits of an expression, and of all together", "[admission]") {
  const std::string object = "{'l': [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}";
  const std::string cubed = "object.l.all(a, object.l.all(b, object.l.all(c, a + b + c == 0)))";
  const std::string fourfold = "object.l.all(z, " + cubed + ")";
  CHECK(against("{'validations': [{'expression': '" + fourfold + "'}]}", object) ==
        "expression '" + fourfold +
            "' resulted in error: operation cancelled: actual cost limit exceeded\n");
  std::string spec = "{'validations': [{'expression': '" + cubed + "'}";
  CHECK(against(spec + "]}", object).empty());
  for (int i = 0; i < 40; ++i) spec += ",{'expression': '" + cubed + "'}";
  CHECK(against(spec + "]}", object) ==
        "validation failed due to running out of cost budget, no further validation rules will be "
        "run\n");
  CHECK(against(spec + "], 'failurePolicy': 'Ignore'}", object).empty());
}

TEST_CASE("policies: a false condition outweighs failed ones", "[admission]") {
  const auto with = [](const std::string& conditions) {
    return "{'validations': [{'expression': 'false'}], 'matchConditions': [" + conditions + "]}";
  };
  const std::string fails = "{'name': 'f', 'expression': 'object.x == 1'}";
  CHECK(against(with(fails + ", {'name': 'no', 'expression': 'false'}"), "{}").empty());
  const std::string once = "expression 'object.x == 1' resulted in error: no such key: x\n";
  CHECK(against(with(fails), "{}") == once);
  CHECK(against(with(fails + "," + fails), "{}") == once);
  CHECK(against(with(fails + ", {'name': 'g', 'expression': 'object.y == 1'}"), "{}") ==
        "[expression 'object.x == 1' resulted in error: no such key: x, expression 'object.y == 1' "
        "resulted in error: no such key: y]\n");
}

TEST_CASE("policies: a failed annotation denies regardless of the actions", "[admission]") {
  const std::string spec =
      "{'auditAnnotations': [{'key': 'k', 'valueExpression': 'string(object.x)'}]}";
  CHECK(against(spec, "{}") ==
        "expression 'string(object.x)' resulted in error: no such key: x !\n");
  CHECK(against(spec, "{'x': 1}").empty());
}

}  // namespace
}  // namespace tabernetes::admission
