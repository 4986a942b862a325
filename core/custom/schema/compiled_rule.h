// The compiled expressions of a validation rule. Shared by cel_rules.cc and cel_rule_checks.cc.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cel/compile.h"
#include "json/value.h"

namespace tabernetes::registry::custom {

enum RuleVariable : std::size_t { kSelf, kOldSelf };

struct CompiledRule {
  std::optional<cel::Program> program, message;
  std::string error, message_error;  // empty if compiled
  bool uses_old = false;
  std::unique_ptr<const cel::Type> optional_self;
};

// Compiles a decoded rule. `self` is the type of the value at its node.
CompiledRule compile_rule(const json::Value& rule, const cel::Type& self);

bool has_optional_old(const json::Value& rule);

}  // namespace tabernetes::registry::custom
