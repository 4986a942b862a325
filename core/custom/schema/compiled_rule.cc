#include "custom/schema/compiled_rule.h"

#include "base/go/text.h"

namespace tabernetes::registry::custom {
namespace {

// Compiles `source`; sets `error` if that fails or the result's kind is not `wanted`.
std::optional<cel::Program> compile_one(std::string_view source,
                                        std::span<const cel::Variable> variables, cel::Kind wanted,
                                        std::string_view prefix, std::string& error) {
  auto program = cel::compile(source, variables);
  if (!program) {
    error = std::string(prefix) + "compilation failed: " + program.error();
    return std::nullopt;
  }
  if (program->result_type().kind != wanted) {
    error = wanted == cel::Kind::kBool ? "cel expression must evaluate to a bool"
                                       : "messageExpression must evaluate to a string";
    return std::nullopt;
  }
  if (!program->plan_error().empty()) {
    error = (prefix.empty() ? "program " : std::string(prefix)) +
            "instantiation failed: " + program->plan_error();
    return std::nullopt;
  }
  return std::move(*program);
}

}  // namespace

bool has_optional_old(const json::Value& rule) {
  const json::Value* optional = rule.find("optionalOldSelf");
  return optional != nullptr && optional->is_bool() && optional->as_bool();
}

CompiledRule compile_rule(const json::Value& rule, const cel::Type& self) {
  CompiledRule compiled;
  const std::string_view source = rule.string_at("rule");
  if (go_trim_space(source).empty()) return compiled;
  cel::Type optional;
  optional.kind = cel::Kind::kOptional;
  optional.element = &self;
  compiled.optional_self = std::make_unique<const cel::Type>(optional);
  const cel::Type* old = has_optional_old(rule) ? compiled.optional_self.get() : &self;
  const cel::Variable variables[] = {{"self", &self}, {"oldSelf", old}};
  compiled.program = compile_one(source, variables, cel::Kind::kBool, "", compiled.error);
  if (!compiled.program) return compiled;
  compiled.uses_old = compiled.program->mentions(kOldSelf);
  const std::string_view message = rule.string_at("messageExpression");
  if (message.empty()) return compiled;
  compiled.message = compile_one(message, variables, cel::Kind::kString, "messageExpression ",
                                 compiled.message_error);
  return compiled;
}

}  // namespace tabernetes::registry::custom
