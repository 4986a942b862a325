#include "registry/validation/policy_expressions.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "base/go_text.h"
#include "base/sort.h"
#include "cel/compile.h"

namespace tabernetes::registry::validation {
namespace {

using cel::Kind;
using cel::Type;
using json::Value;

// Types as texts: s string, b bool, i int, t timestamp, * dyn, L list of, M map from strings to,
// {field:type,...} with the fields in order.
constexpr std::string_view kRequest =
    "{dryRun:b,kind:{group:s,kind:s,version:s},name:s,namespace:s,operation:s,options:*,"
    "requestKind:{group:s,kind:s,version:s},requestResource:{group:s,resource:s,version:s},"
    "requestSubResource:s,resource:{group:s,resource:s,version:s},subResource:s,"
    "userInfo:{extra:MLs,groups:Ls,uid:s,username:s}}";
constexpr std::string_view kNamespace =
    "{metadata:{UID:s,annotations:Ms,creationTimestamp:t,deletionGracePeriodSeconds:i,"
    "deletionTimestamp:t,finalizers:Ls,generateName:s,generation:i,labels:Ms,name:s,namespace:s,"
    "resourceVersion:s},spec:{finalizers:Ls},"
    "status:{conditions:L{lastTransitionTime:t,message:s,reason:s,status:s,type:s},phase:s}}";

constexpr std::uint32_t kMostVariables = 64;  // that are told apart by type

class TypeReader {
 public:
  TypeReader(std::string_view text, json::Arena& arena) : text_(text), arena_(arena) {}

  const Type* read() {
    const char c = take();
    if (c == '{') return structure();
    if (c == 'L') return cel::list_of(*read(), arena_);
    if (c == 'M') return cel::map_of(cel::simple_type(Kind::kString), *read(), arena_);
    return &cel::simple_type(c == 's'   ? Kind::kString
                             : c == 'b' ? Kind::kBool
                             : c == 'i' ? Kind::kInt
                             : c == 't' ? Kind::kTimestamp
                                        : Kind::kDyn);
  }

 private:
  char take() {
    const char c = text_.front();
    text_.remove_prefix(1);
    return c;
  }

  const Type* structure() {
    std::vector<cel::Field> fields;
    do {
      const std::string_view name = text_.substr(0, text_.find(':'));
      text_.remove_prefix(name.size() + 1);
      fields.push_back({name, name, read()});
    } while (take() == ',');
    return cel::struct_of(fields, arena_);
  }

  std::string_view text_;
  json::Arena& arena_;
};

bool is_blank(std::string_view text) { return go_trim_space(text).empty(); }

// The variables of one policy as its expressions see them.
class Scope {
 public:
  Scope(const Value& root, ExpressionUse use) : spec_(root.find("spec")) {
    const Type& dyn = cel::simple_type(Kind::kDyn);
    variables_ = {{"object", &dyn},
                  {"oldObject", &dyn},
                  {"namespaceObject", TypeReader(kNamespace, arena_).read()},
                  {"request", TypeReader(kRequest, arena_).read()}};
    if (spec_ != nullptr && present(spec_->find("paramKind")))
      variables_.push_back({"params", &dyn});
    if (use != ExpressionUse::kMessage) {
      variables_.push_back({"authorizer", &cel::simple_type(Kind::kAuthorizer)});
      variables_.push_back({"authorizer.requestResource", &cel::simple_type(Kind::kResourceCheck)});
    }
  }

  // Adds `variables` with those that stand before `until` (a place in the list; null: all).
  void add_variables(const Value* until) {
    const Value* list = spec_ == nullptr ? nullptr : spec_->find("variables");
    if (list == nullptr || list->size() == 0) return;
    std::vector<cel::Field> fields;
    if (list->size() > kMostVariables) {
      variables_.push_back({"variables", &cel::simple_type(Kind::kDyn)});
      return;
    }
    for (const Value& variable : list->items()) {
      variables_.push_back({"variables", cel::struct_of(sorted(fields), arena_)});
      if (variable.find("expression") == until) return;
      const std::string_view name = variable.string_at("name");
      fields.push_back({name, name, type_of(variable.string_at("expression"))});
      variables_.pop_back();
    }
    variables_.push_back({"variables", cel::struct_of(sorted(fields), arena_)});
  }

  tl::expected<cel::Program, std::string> compile(std::string_view source) const {
    return cel::compile(source, variables_);
  }

 private:
  static bool present(const Value* value) { return value != nullptr && !value->is_null(); }

  static std::vector<cel::Field> sorted(std::vector<cel::Field> fields) {
    sort_stable(fields, [](const cel::Field& a, const cel::Field& b) { return a.name < b.name; });
    return fields;
  }

  // The programs stay, since types of variables may be made for them.
  const Type* type_of(std::string_view source) {
    auto program = compile(source);
    if (!program) return &cel::simple_type(Kind::kDyn);
    return &programs_.emplace_back(std::move(*program)).result_type();
  }

  const Value* spec_;
  json::Arena arena_;
  std::vector<cel::Variable> variables_;
  std::deque<cel::Program> programs_;
};

// What a result should have been; empty: it is as it should be.
std::string wrong_result(const Type& type, ExpressionUse use) {
  const std::string got = " but got " + to_string(type);
  switch (use) {
    case ExpressionUse::kCondition:
    case ExpressionUse::kValidation:
      return type.kind == Kind::kBool ? "" : "must evaluate to bool" + got;
    case ExpressionUse::kMessage:
      return type.kind == Kind::kString ? "" : "must evaluate to string" + got;
    case ExpressionUse::kAnnotation:
      return type.kind == Kind::kString || type.kind == Kind::kNull
                 ? ""
                 : "must evaluate to one of [string null_type]" + got;
    case ExpressionUse::kVariable:
      break;
  }
  return {};
}

}  // namespace

void compile_expression(const Field& at, const Value& root, ExpressionUse use) {
  if (is_blank(at.text())) return;
  Scope scope(root, use);
  if (use != ExpressionUse::kCondition && at.text().find("variables") != std::string_view::npos) {
    scope.add_variables(use == ExpressionUse::kVariable ? at.value() : nullptr);
  }
  const auto program = scope.compile(at.text());
  if (!program) return at.invalid("compilation failed: " + program.error());
  std::string wrong = wrong_result(program->result_type(), use);
  if (!wrong.empty()) return at.invalid(wrong);
  if (program->plan_error().empty()) return;
  at.errors().push_back({"InternalError", at.path().text(),
                         "Internal error: program instantiation failed: " + program->plan_error()});
}

}  // namespace tabernetes::registry::validation
