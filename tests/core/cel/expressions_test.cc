// Types, results and costs of expressions, compared with cel-go in kube-apiserver's environment.
#include <algorithm>
#include <cmath>
#include <vector>

#include "../vectors.h"
#include "base/api/quantity.h"
#include "base/go/text.h"
#include "base/numbers/float_digits.h"
#include "cel/compile.h"
#include "cel/evaluator.h"

namespace tabernetes::cel {
namespace {

std::string show(const Value& value, json::Arena& arena);

std::string show_list(const Value& list, json::Arena& arena) {
  std::string text = "[";
  for (std::uint32_t i = 0; i < list_size(list); ++i) {
    text += (i > 0 ? ", " : "") + show(list_item(list, i, arena), arena);
  }
  return text + "]";
}

std::string show_map(const Value& map, json::Arena& arena) {
  std::vector<std::string> members;
  Value key, member;
  for (std::uint32_t place = 0; map_next(map, place, key, arena);) {
    map_find(map, key, member, arena);
    members.push_back(show(key, arena) + ": " + show(member, arena));
  }
  std::sort(members.begin(), members.end());
  std::string text = "{";
  for (const std::string& member_text : members) {
    text += (text.size() > 1 ? ", " : "") + member_text;
  }
  return text + "}";
}

std::string show(const Value& value, json::Arena& arena) {
  std::string text;
  to_text(value, text);
  switch (value.kind) {
    case Kind::kUint:
      return text + "u";
    case Kind::kDouble:
      return "double(" + text + ")";
    case Kind::kString:
      return go_quote(value.view());
    case Kind::kBytes:
      return "b" + go_quote(value.view());
    case Kind::kDuration:
      return "duration(" + std::to_string(value.integer) + ")";
    case Kind::kTimestamp:
      return "timestamp(" + text + ")";
    case Kind::kOptional:
      return value.inner == nullptr ? "none" : "optional(" + show(*value.inner, arena) + ")";
    case Kind::kIp:
      return "ip(" + text + ")";
    case Kind::kCidr:
      return "cidr(" + text + ")";
    case Kind::kQuantity: {
      std::string_view error;
      return "quantity(" + Quantity::parse(value.view(), error)->to_string() + ")";
    }
    case Kind::kSemver:
      return "semver(" + std::string(value.view()) + ")";
    case Kind::kUrl:
      return "url(" + std::string(value.view()) + ")";
    case Kind::kFormat:
      return "format";
    case Kind::kType:
      return "type(" + text + ")";
    case Kind::kList:
      return show_list(value, arena);
    case Kind::kMap:
      return show_map(value, arena);
    default:
      return text;
  }
}

struct Found {
  std::string compile, plan, type, value, error, cost, min, max;
};

Found run(std::string_view source, const Type& type, const json::Value& self) {
  Found found;
  json::Arena arena;
  const Variable variables[] = {{"self", &type}, {"oldSelf", optional_of(type, arena)}};
  const auto program = compile(source, variables);
  if (!program) {
    found.compile = program.error();
    return found;
  }
  found.type = to_string(program->result_type());
  const Estimate estimate = program->estimate_cost(&type);
  found.min = std::to_string(estimate.min);
  found.max = std::to_string(estimate.max);
  found.plan = program->plan_error();
  found.cost = "0";
  if (!found.plan.empty()) return found;
  const Value values[] = {from_tree(self, type, arena), make_optional(nullptr)};
  const Outcome outcome = program->evaluate(values, arena);
  found.cost = std::to_string(outcome.cost);
  if (outcome.is_error()) {
    found.error = outcome.error();
  } else {
    found.value = show(outcome.value, arena);
  }
  return found;
}

TEST_CASE("cel: expressions mean and cost what they do in kube-apiserver", "[cel]") {
  const tests::Vectors vectors("cel/vectors/expressions.json");
  for (const json::Value& group : vectors.cases()) {
    json::Arena arena;
    const json::Value* schema = group.find("schema");
    const Type& type =
        schema == nullptr ? simple_type(Kind::kDyn) : *schema_type(*schema, false, arena);
    for (const json::Value& expected : group.find("cases")->items()) {
      const std::string source(expected.string_at("expr"));
      INFO(source);
      const Found found = run(source, type, *group.find("self"));
      CHECK(found.compile == expected.string_at("compile"));
      CHECK(found.plan == expected.string_at("plan"));
      CHECK(found.type == expected.string_at("type"));
      CHECK(found.value == expected.string_at("value"));
      CHECK(found.error == expected.string_at("error"));
      if (!found.compile.empty()) continue;
      if (expected.string_at("cost") != "-") CHECK(found.cost == expected.string_at("cost"));
      if (expected.string_at("min") == "-") continue;
      CHECK(found.min == expected.string_at("min"));
      CHECK(found.max == expected.string_at("max"));
    }
  }
}

}  // namespace
}  // namespace tabernetes::cel
