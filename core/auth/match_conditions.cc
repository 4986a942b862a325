#include "auth/match_conditions.h"

#include <array>
#include <vector>

#include "auth/access_spec.h"
#include "base/go/text.h"
#include "cel/type_text.h"

namespace tabernetes::auth {
namespace {

constexpr std::string_view kRequestType =
    "{extra:MLs,groups:Ls,nonResourceAttributes:{path:s,verb:s},"
    "resourceAttributes:{fieldSelector:{rawSelector:s,requirements:L{key:s,operator:s,values:Ls}},"
    "group:s,labelSelector:{rawSelector:s,requirements:L{key:s,operator:s,values:Ls}},name:s,"
    "namespace:s,resource:s,subresource:s,verb:s,version:s},uid:s,user:s}";

}  // namespace

MatchConditions::MatchConditions() : request_{"request", cel::read_type(kRequestType, types_)} {}

std::string MatchConditions::add(std::string_view expression) {
  auto program = cel::compile(expression, std::span(&request_, 1));
  if (!program) return "compilation failed: " + program.error();
  if (program->result_type().kind != cel::Kind::kBool) {
    return "must evaluate to bool but got " + cel::to_string(program->result_type());
  }
  if (!program->plan_error().empty()) {
    return "program instantiation failed: " + program->plan_error();
  }
  conditions_.emplace_back(expression, std::move(*program));
  return {};
}

MatchConditions::Matched MatchConditions::check(const Attributes& wanted,
                                                std::string& error) const {
  if (conditions_.empty()) return Matched::kYes;
  json::Arena arena;
  const json::Value spec = access_spec(wanted, SpecForm::kExpression, arena);
  const std::array values = {cel::from_tree(spec, cel::simple_type(cel::Kind::kDyn), arena)};
  std::vector<std::string> errors;
  for (const auto& [expression, program] : conditions_) {
    const cel::Outcome outcome = program.evaluate(values, arena);
    const std::string failed = "cel evaluation error: expression '" + expression + "' ";
    if (outcome.is_error()) {
      errors.push_back(failed + "resulted in error: " + std::string(outcome.error()));
    } else if (!outcome.value.is(cel::Kind::kBool)) {
      errors.push_back(failed + "eval result type should be bool");
    } else if (!outcome.value.boolean) {
      return Matched::kNo;
    }
  }
  if (errors.empty()) return Matched::kYes;
  error = go_aggregate(errors);
  return Matched::kFailed;
}

}  // namespace tabernetes::auth
