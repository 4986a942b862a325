#include "kinds/admissionregistration/policy_scope.h"

#include <utility>
#include <vector>

#include "base/algorithm/sort.h"
#include "cel/mutation.h"
#include "cel/type_text.h"
#include "kinds/admissionregistration/policy_expressions.h"

namespace tabernetes::registry::kinds {
namespace {

using cel::Type;
using json::Value;

// Types as cel/type_text.h reads them.
constexpr std::string_view kRequest =
    "{dryRun:b,kind:{group:s,kind:s,version:s},name:s,namespace:s,operation:s,options:*,"
    "requestKind:{group:s,kind:s,version:s},requestResource:{group:s,resource:s,version:s},"
    "requestSubResource:s,resource:{group:s,resource:s,version:s},subResource:s,"
    "userInfo:{extra:MLs,groups:Ls,uid:s,username:s}}";
constexpr std::string_view kNamespaceType =
    "{metadata:{UID:s,annotations:Ms,creationTimestamp:t,deletionGracePeriodSeconds:i,"
    "deletionTimestamp:t,finalizers:Ls,generateName:s,generation:i,labels:Ms,name:s,namespace:s,"
    "resourceVersion:s},spec:{finalizers:Ls},"
    "status:{conditions:L{lastTransitionTime:t,message:s,reason:s,status:s,type:s},phase:s}}";

constexpr std::uint32_t kMostVariables = 64;  // limit of variables with types of their own

bool present(const Value* value) { return value != nullptr && !value->is_null(); }

std::vector<cel::Field> sorted(std::vector<cel::Field> fields) {
  sort_stable(fields, [](const cel::Field& a, const cel::Field& b) { return a.name < b.name; });
  return fields;
}

}  // namespace

PolicyScope::PolicyScope(const Value& root, ExpressionUse use)
    : spec_(root.find("spec")), use_(use) {
  const Type& dyn = cel::simple_type(cel::Kind::kDyn);
  variables_ = {{"object", &dyn},
                {"oldObject", &dyn},
                {"namespaceObject", cel::read_type(kNamespaceType, arena_)},
                {"request", cel::read_type(kRequest, arena_)}};
  if (spec_ != nullptr && present(spec_->find("paramKind"))) {
    variables_.push_back({"params", &dyn});
  }
  if (use != ExpressionUse::kMessage) {
    variables_.push_back({"authorizer", &cel::simple_type(cel::Kind::kAuthorizer)});
    variables_.push_back(
        {"authorizer.requestResource", &cel::simple_type(cel::Kind::kResourceCheck)});
  }
}

tl::expected<cel::Program, std::string> PolicyScope::compile(std::string_view source) const {
  return is_mutation(use_) ? cel::compile_mutation(source, variables_)
                           : cel::compile(source, variables_);
}

void PolicyScope::add_variables(const Value* until) {
  const Value* list = spec_ == nullptr ? nullptr : spec_->find("variables");
  std::vector<cel::Field> fields;
  if (list == nullptr || list->size() == 0) {
    // Mutations know the variables even if there are none.
    if (is_mutation(use_)) variables_.push_back({"variables", cel::struct_of(fields, arena_)});
    return;
  }
  if (list->size() > kMostVariables) {
    variables_.push_back({"variables", &cel::simple_type(cel::Kind::kDyn)});
    return;
  }
  for (const Value& variable : list->items()) {
    variables_.push_back({"variables", cel::struct_of(sorted(fields), arena_)});
    if (until != nullptr && variable.find("expression") == until) return;
    const std::string_view name = variable.string_at("name");
    fields.push_back({name, name, type_of(variable.string_at("expression"))});
    variables_.pop_back();
  }
  variables_.push_back({"variables", cel::struct_of(sorted(fields), arena_)});
}

// Variables cannot construct objects and patches.
const Type* PolicyScope::type_of(std::string_view source) {
  auto program = cel::compile(source, variables_);
  if (!program) return &cel::simple_type(cel::Kind::kDyn);
  return &programs_.emplace_back(std::move(*program)).result_type();
}

}  // namespace tabernetes::registry::kinds
