// A rule's expressions, compiled. Shared by rules.cc and check_rules.cc.
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
  std::string error, message_error;  // empty: none
  bool uses_old = false;
  std::unique_ptr<const cel::Type> optional_self;
};

// Of a rule object in its typed form. `self`: the type of what it stands at.
CompiledRule compile_rule(const json::Value& rule, const cel::Type& self);

bool has_optional_old(const json::Value& rule);

}  // namespace tabernetes::registry::custom
