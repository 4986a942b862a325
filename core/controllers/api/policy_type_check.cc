#include "controllers/api/policy_type_check.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "base/algorithm/sort.h"
#include "cel/compile.h"
#include "json/access.h"
#include "kinds/admissionregistration/policy_scope.h"
#include "schema/schema.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::size_t kMostTypes = 10;

// Makes types of CEL of those of built-in kinds. What OpenAPI describes by `oneOf` has none, so
// expressions cannot name it: quantities, and numbers that may be texts.
class CheckedTypes {
 public:
  // Returns null for a kind without a type.
  const cel::Type* type_of_kind(const schema::Type& type) { return structure(type); }

 private:
  const cel::Type* structure(const schema::Type& type) {
    if (type.special != schema::FieldType::kRef) return simple(type.special);
    const auto [known, is_new] = made_.try_emplace(&type, nullptr);
    // A type that contains itself has no end.
    if (!is_new) return known->second != nullptr ? known->second : simple(schema::FieldType::kAny);
    std::vector<cel::Field> fields;
    for (const schema::Field* field : type.json_fields()) {
      const cel::Type* of_field = type_of(field->type);
      const std::string name = cel::escape_field(field->name);
      if (of_field == nullptr || name.empty()) continue;
      fields.push_back({arena_.copy(name), field->name, of_field});
    }
    sort_stable(fields, [](const cel::Field& a, const cel::Field& b) { return a.name < b.name; });
    return made_[&type] = cel::struct_of(fields, arena_);
  }

  const cel::Type* type_of(const schema::TypeRef& type) {
    if (type.type == schema::FieldType::kRef) return structure(*type.ref);
    if (type.type == schema::FieldType::kArray || type.type == schema::FieldType::kMap) {
      const cel::Type* element = type_of(*type.element);
      if (element == nullptr) return nullptr;
      return type.type == schema::FieldType::kArray
                 ? cel::list_of(*element, arena_)
                 : cel::map_of(cel::simple_type(cel::Kind::kString), *element, arena_);
    }
    return simple(type.type);
  }

  const cel::Type* simple(schema::FieldType type) {
    using schema::FieldType;
    switch (type) {
      case FieldType::kString:
      case FieldType::kDuration:
        return &cel::simple_type(cel::Kind::kString);
      case FieldType::kBoolean:
        return &cel::simple_type(cel::Kind::kBool);
      case FieldType::kInt32:
      case FieldType::kInt64:
        return &cel::simple_type(cel::Kind::kInt);
      case FieldType::kNumber:
        return &cel::simple_type(cel::Kind::kDouble);
      case FieldType::kBytes:
        return &cel::simple_type(cel::Kind::kBytes);
      case FieldType::kTime:
      case FieldType::kMicroTime:
        return &cel::simple_type(cel::Kind::kTimestamp);
      case FieldType::kAny:
        return &cel::simple_type(cel::Kind::kDyn);
      case FieldType::kRawExtension:
      case FieldType::kFieldsV1:
        return cel::struct_of({}, arena_);
      default:
        return nullptr;
    }
  }

  json::Arena arena_;
  std::map<const schema::Type*, const cel::Type*> made_;
};

std::vector<std::string_view> sorted_texts(const Value& rule, std::string_view member) {
  std::vector<std::string_view> texts;
  for (const Value& text : items_in(rule, member)) texts.push_back(text.as_string());
  sort_stable(texts);
  return texts;
}

bool has_wildcard(const std::vector<std::string_view>& texts) {
  return std::any_of(texts.begin(), texts.end(), [](std::string_view text) {
    return text.find('*') != std::string_view::npos;
  });
}

using Kinds = std::map<std::tuple<std::string_view, std::string_view, std::string_view>,
                       const registry::ResourceType*>;  // by group, version and kind

// Returns the first kinds that the policy's rules name.
Kinds named_kinds(const registry::ResourceTable& resources, const Value& policy) {
  Kinds kinds;
  for (const Value& rule : items_at(policy, {"spec", "matchConstraints", "resourceRules"})) {
    const auto groups = sorted_texts(rule, "apiGroups");
    const auto versions = sorted_texts(rule, "apiVersions");
    if (has_wildcard(groups) || has_wildcard(versions)) continue;
    for (const std::string_view group : groups) {
      for (const std::string_view version : versions) {
        for (const std::string_view plural : sorted_texts(rule, "resources")) {
          const registry::ResourceType* type = resources.find(group, version, plural);
          if (type == nullptr) continue;
          kinds.emplace(std::tuple(group, version, type->resource->kind), type);
          if (kinds.size() == kMostTypes) return kinds;
        }
      }
    }
  }
  return kinds;
}

class PolicyCheck {
 public:
  PolicyCheck(const registry::ResourceTable& resources, const Value& policy)
      : scope_(policy, registry::kinds::ExpressionUse::kValidation) {
    scope_.add_variables(nullptr);
    params_ = params_type(resources, policy);
    for (const auto& [name, type] : named_kinds(resources, policy)) {
      if (!type->built_in()) continue;
      const cel::Type* checked = types_.type_of_kind(*type->resource->type);
      if (checked == nullptr) continue;
      kinds_.push_back({std::string(std::get<0>(name)) + "/" + std::string(std::get<1>(name)) +
                            ", Kind=" + std::string(std::get<2>(name)),
                        checked});
    }
  }

  // Returns what is wrong with an expression; empty if nothing is.
  std::string fault_of(std::string_view expression) const {
    std::string faults;
    for (const Checked& kind : kinds_) {
      std::vector<cel::Variable> variables(scope_.variables().begin(), scope_.variables().end());
      for (cel::Variable& variable : variables) {
        if (variable.name == "object" || variable.name == "oldObject") variable.type = kind.type;
        if (variable.name == "params" && params_ != nullptr) variable.type = params_;
      }
      const auto program = cel::compile(expression, variables);
      if (program) continue;
      if (!faults.empty()) faults += '\n';
      faults += kind.name + ": " + program.error() + "\n";
    }
    return faults;
  }

 private:
  // Returns null for a kind that is unknown or not built in.
  const cel::Type* params_type(const registry::ResourceTable& resources, const Value& policy) {
    const std::string_view version = text_at(policy, {"spec", "paramKind", "apiVersion"});
    const std::size_t slash = version.find('/');
    const bool has_group = slash != std::string_view::npos;
    const registry::ResourceType* type =
        resources.find_kind(has_group ? version.substr(0, slash) : std::string_view(),
                            has_group ? version.substr(slash + 1) : version,
                            text_at(policy, {"spec", "paramKind", "kind"}));
    if (type == nullptr || !type->built_in()) return nullptr;
    return types_.type_of_kind(*type->resource->type);
  }

  struct Checked {
    std::string name;
    const cel::Type* type;
  };

  CheckedTypes types_;
  registry::kinds::PolicyScope scope_;
  std::vector<Checked> kinds_;
  const cel::Type* params_ = nullptr;
};

}  // namespace

std::vector<ExpressionWarning> check_policy_types(const registry::ResourceTable& resources,
                                                  const Value& policy) {
  const PolicyCheck check(resources, policy);
  std::vector<ExpressionWarning> warnings;
  std::size_t number = 0;
  for (const Value& validation : items_at(policy, {"spec", "validations"})) {
    const std::string place = "spec.validations[" + std::to_string(number++) + "].";
    for (const std::string_view member : {"expression", "messageExpression"}) {
      const std::string_view expression = validation.string_at(member);
      if (expression.empty()) continue;
      std::string fault = check.fault_of(expression);
      if (!fault.empty()) warnings.push_back({place + std::string(member), std::move(fault)});
    }
  }
  return warnings;
}

}  // namespace tabernetes::controllers
