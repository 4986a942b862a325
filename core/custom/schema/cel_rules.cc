#include "custom/schema/cel_rules.h"

#include <cstdint>
#include <deque>

#include "base/algorithm/atomic_lazy.h"
#include "base/go/text.h"
#include "cel/type.h"
#include "custom/schema/compiled_rule.h"
#include "custom/schema/correlation.h"
#include "custom/schema/field_path.h"
#include "custom/schema/printed_value.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;
using schema::Structural;

constexpr std::int64_t kBudget = 10'000'000;  // per object
constexpr std::size_t kLongestMessage = 5 * 1024;
constexpr std::string_view kOutOfBudget =
    "validation failed due to running out of cost budget, no further validation rules will be run";

struct Rule {
  Value source;            // the rule object
  std::string field_path;  // relative to the node; may be empty
  AtomicLazy<CompiledRule> compiled;
};

// A node of the schema with rules at it or below.
struct Node {
  const cel::Type* type = nullptr;
  std::string_view type_name;  // the schema's: "object"
  std::deque<Rule> rules;
  std::deque<std::pair<std::string_view, Node*>> properties;
  Node* items = nullptr;
  Node* additional = nullptr;

  Node* property(std::string_view name) const {
    for (const auto& [key, node] : properties) {
      if (key == name) return node;
    }
    return nullptr;
  }
};

// Returns the type of the property `key`, which need not be an identifier.
const cel::Type* property_type(const cel::Type& type, std::string_view key) {
  for (std::uint32_t i = 0; i < type.field_count; ++i) {
    if (type.fields[i].key == key) return type.fields[i].type;
  }
  return nullptr;
}

// Makes nodes from a schema; null where there are no rules.
class Builder {
 public:
  Builder(json::Arena& arena, std::deque<Node>& nodes) : arena_(arena), nodes_(nodes) {}

  Node* build(const Value& schema, const cel::Type* type) {
    if (type == nullptr) return nullptr;
    Node node;
    node.type = type;
    node.type_name = arena_.copy(schema.string_at("type"));
    add_rules(schema, node);
    if (const Value* items = schema.find("items"); items != nullptr && items->is_object()) {
      node.items = build(*items, type->element);
    }
    const Value* additional = schema.find("additionalProperties");
    if (additional != nullptr && additional->is_object()) {
      node.additional = build(*additional, type->element);
    }
    if (const Value* properties = schema.find("properties")) {
      for (const json::Member& member : properties->members()) {
        Node* below = build(member.value, property_type(*type, member.key));
        if (below != nullptr) node.properties.emplace_back(arena_.copy(member.key), below);
      }
    }
    if (node.rules.empty() && node.items == nullptr && node.additional == nullptr &&
        node.properties.empty()) {
      return nullptr;
    }
    return &nodes_.emplace_back(std::move(node));
  }

 private:
  void add_rules(const Value& schema, Node& node) {
    const Value* rules = schema.find("x-kubernetes-validations");
    if (rules == nullptr || !rules->is_array() || !node.type->exposed) return;
    for (const Value& source : rules->items()) {
      Rule& rule = node.rules.emplace_back();
      rule.source = source.clone(arena_);
      const std::string_view path = source.string_at("fieldPath");
      if (!path.empty()) rule.field_path = find_field(path, schema, ArrayNotation::kAllowed).path;
    }
  }

  json::Arena& arena_;
  std::deque<Node>& nodes_;
};

// Returns the name of a rule in errors.
std::string rule_text(const Value& rule) {
  const std::string_view message = rule.string_at("message");
  return std::string(go_trim_space(message.empty() ? rule.string_at("rule") : message));
}

// The old value, and the nearest ancestor whose old value can be found.
struct OldValue {
  const Value* old = nullptr;  // the old value itself
  const Value* near = nullptr;
  const Value* near_old = nullptr;
  const Structural* near_schema = nullptr;
};

class RulesWalk {
 public:
  RulesWalk(field::ErrorList& errors, std::vector<std::string>& warnings)
      : errors_(errors), warnings_(warnings) {}

  // Checks a value; `old` is the rules' oldSelf. Returns false if the budget is exhausted.
  bool node(const Node& node, const Value& value, const Value* old, const Structural& schema,
            const OldValue& before, const field::Path& path) {
    if (value.is_null()) return true;
    if (!node.rules.empty() && !rules(node, value, old, schema, before, path)) return false;
    if (value.is_array()) return items(node, value, old, schema, before, path);
    return !value.is_object() || members(node, value, old, schema, before, path);
  }

 private:
  bool members(const Node& node, const Value& value, const Value* old, const Structural& schema,
               const OldValue& before, const field::Path& path) {
    for (const json::Member& member : value.members()) {
      const Node* below = node.additional != nullptr ? node.additional : node.property(member.key);
      const Structural* inner = schema.member(member.key);
      if (below == nullptr || inner == nullptr) continue;
      const Value* was = old != nullptr && old->is_object() ? old->find(member.key) : nullptr;
      const bool fixed =
          path.text().empty() && (member.key == "apiVersion" || member.key == "kind");
      const OldValue next =
          fixed ? OldValue{} : step(value, schema, before, member_of(before, member));
      const field::Path at =
          node.additional != nullptr ? path.key(member.key) : path.child(member.key);
      if (!this->node(*below, member.value, was, *inner, next, at)) return false;
    }
    return true;
  }

  static const Value* member_of(const OldValue& before, const json::Member& member) {
    const bool object = before.old != nullptr && before.old->is_object();
    return object ? before.old->find(member.key) : nullptr;
  }

  static OldValue step(const Value& value, const Structural& schema, const OldValue& before,
                       const Value* old) {
    if (before.old == nullptr) return before;
    return {old, &value, before.old, &schema};
  }

  bool items(const Node& node, const Value& value, const Value* old, const Structural& schema,
             const OldValue& before, const field::Path& path) {
    if (node.items == nullptr || schema.items == nullptr) return true;
    const KeyedItems olds(old, schema);
    for (std::uint32_t i = 0; i < value.size(); ++i) {
      const Value& item = value.items()[i];
      const Value* was = olds.find(item);
      const OldValue next = step(value, schema, before, was);
      if (!this->node(*node.items, item, was, *schema.items, next, path.index(i))) return false;
    }
    return true;
  }

  static bool is_unchanged(const Value& value, const Structural& schema, const OldValue& before) {
    if (before.old != nullptr) return correlates_equal(value, *before.old, schema);
    return before.near != nullptr &&
           correlates_equal(*before.near, *before.near_old, *before.near_schema);
  }

  void of_type(const Node& node, const field::Path& path, std::string_view detail) {
    errors_.push_back(field::invalid(path, go_quote(node.type_name), detail));
  }

  bool rules(const Node& node, const Value& value, const Value* old, const Structural& schema,
             const OldValue& before, const field::Path& path) {
    if (old != nullptr && old->is_null()) old = nullptr;
    for (const Rule& rule : node.rules) {
      if (budget_ <= 0) return of_type(node, path, kOutOfBudget), false;
      const CompiledRule& compiled =
          rule.compiled.get_or_make([&] { return compile_rule(rule.source, *node.type); });
      if (!compiled.error.empty()) of_type(node, path, "rule compile error: " + compiled.error);
      const bool optional = has_optional_old(rule.source);
      if (!compiled.program || (compiled.uses_old && old == nullptr && !optional)) continue;
      scratch_.clear();
      cel::Value values[2] = {cel::from_tree(value, *node.type, scratch_)};
      if (old != nullptr) values[kOldSelf] = cel::from_tree(*old, *node.type, scratch_);
      if (optional) {
        values[kOldSelf] = old == nullptr ? cel::make_optional(nullptr)
                                          : cel::make_optional(values[kOldSelf], scratch_);
      }
      const cel::Outcome outcome = compiled.program->evaluate(values, scratch_);
      if (!charge(outcome.cost)) return of_type(node, path, kOutOfBudget), false;
      if (outcome.is_error()) {
        if (!failed(node, path, rule.source, outcome)) return false;
      } else if (!outcome.value.is_true()) {
        const bool warn = !compiled.uses_old && is_unchanged(value, schema, before);
        if (!violated(node, rule, compiled, value, values, path, warn)) return false;
      }
    }
    return true;
  }

  bool charge(std::uint64_t cost) {
    if (cost > static_cast<std::uint64_t>(budget_)) return false;
    budget_ -= static_cast<std::int64_t>(cost);
    return true;
  }

  bool failed(const Node& node, const field::Path& path, const Value& rule,
              const cel::Outcome& outcome) {
    const std::string error(outcome.error());
    if (outcome.out_of_budget) {
      of_type(node, path,
              "'" + error +
                  "': no further validation rules will be run due to call cost exceeds limit for "
                  "rule: " +
                  rule_text(rule));
      return false;
    }
    if (error.starts_with("no such overload")) {
      of_type(node, path,
              "'" + error +
                  "': call arguments did not match a supported operator, function or macro "
                  "signature for rule: " +
                  rule_text(rule));
    } else {
      of_type(node, path, error + " evaluating rule: " + rule_text(rule));
    }
    return true;
  }

  // Evaluates messageExpression. Returns false if the result is unusable. Sets `ends` if the budget
  // is exhausted.
  bool message(const CompiledRule& compiled, const Value& rule, const cel::Value* values,
               std::string& text, bool& ends) {
    if (!compiled.message) return false;
    const cel::Outcome outcome = compiled.message->evaluate({values, 2}, scratch_);
    if (!charge(outcome.cost)) {
      text =
          "messageExpression evaluation failed due to running out of cost budget, no further "
          "validation rules will be run";
      return ends = true, false;
    }
    if (outcome.out_of_budget) {
      text =
          "no further validation rules will be run due to call cost exceeds limit for "
          "messageExpression: " +
          go_quote(rule.string_at("messageExpression"));
      return ends = true, false;
    }
    if (!outcome.value.is(cel::Kind::kString)) return false;
    text = go_trim_space(outcome.value.view());
    return !text.empty() && text.size() <= kLongestMessage && text.find('\n') == text.npos;
  }

  bool violated(const Node& node, const Rule& rule, const CompiledRule& compiled,
                const Value& value, const cel::Value* values, const field::Path& path, bool warn) {
    const field::Path at = rule.field_path.empty() ? path : path.child(rule.field_path);
    std::string detail;
    bool ends = false;
    if (!message(compiled, rule.source, values, detail, ends)) {
      if (ends) {
        report(field::invalid(at, go_quote(node.type_name), detail), warn);
        return false;
      }
      const std::string_view fixed = rule.source.string_at("message");
      detail = fixed.empty() ? "failed rule: " + rule_text(rule.source)
                             : std::string(go_trim_space(fixed));
    }
    report(error_of(node, rule.source, at, value, detail), warn);
    return true;
  }

  static field::Error error_of(const Node& node, const Value& rule, const field::Path& at,
                               const Value& value, const std::string& detail) {
    const std::string_view reason = rule.string_at("reason");
    if (reason == "FieldValueForbidden") return field::forbidden(at, detail);
    if (reason == "FieldValueRequired") return field::required(at, detail);
    const bool container = node.type_name == "object" || node.type_name == "array";
    const std::string printed = container ? "" : format_value(value);
    field::Error error = reason == "FieldValueDuplicate" ? field::duplicate(at, printed)
                                                         : field::invalid(at, printed, detail);
    // Values of objects and lists are not printed.
    if (container && reason == "FieldValueDuplicate") error.message = "Duplicate value";
    if (container && reason != "FieldValueDuplicate") error.message = "Invalid value: " + detail;
    return error;
  }

  void report(field::Error error, bool warn) {
    if (warn) {
      warnings_.push_back(error.field + ": " + error.message);
    } else {
      errors_.push_back(std::move(error));
    }
  }

  json::Arena scratch_;
  field::ErrorList& errors_;
  std::vector<std::string>& warnings_;
  std::int64_t budget_ = kBudget;
};

bool may_mislead(const field::ErrorList& errors) {
  for (const field::Error& error : errors) {
    for (const std::string_view reason :
         {"FieldValueNotSupported", "FieldValueRequired", "FieldValueTooLong", "FieldValueTooMany",
          "FieldValueTypeInvalid"}) {
      if (error.reason == reason) return true;
    }
  }
  return false;
}

}  // namespace

struct CelRules::Parts {
  json::Arena arena;
  std::deque<Node> nodes;
  Node* root = nullptr;
};

CelRules::CelRules(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
CelRules::~CelRules() = default;

std::shared_ptr<const CelRules> CelRules::of_schema(const Value& open_api, bool whole) {
  auto parts = std::make_unique<Parts>();
  const cel::Type* type = cel::schema_type(open_api, whole, parts->arena);
  parts->root = Builder(parts->arena, parts->nodes).build(open_api, type);
  if (parts->root == nullptr) return nullptr;
  return std::shared_ptr<const CelRules>(new CelRules(std::move(parts)));
}

void CelRules::validate(const Value& object, const Value* old, const Structural& schema,
                        field::ErrorList& errors, std::vector<std::string>& warnings) const {
  if (may_mislead(errors)) {
    errors.push_back(field::invalid(
        field::Path(), "null",
        "some validation rules were not checked because the object was invalid; correct the "
        "existing errors to complete validation"));
    return;
  }
  RulesWalk(errors, warnings).node(*parts_->root, object, old, schema, {.old = old}, {});
}

void CelRules::validate_default(const Value& value, const Structural& schema,
                                const field::Path& path, field::ErrorList& errors) const {
  const std::size_t before = errors.size();
  for (const Value* old : {&value, static_cast<const Value*>(nullptr)}) {
    // rules that fail as a create too are reported by the second pass
    std::vector<std::string> unused;
    if (errors.size() == before) {
      RulesWalk(errors, unused).node(*parts_->root, value, old, schema, {.old = old}, path);
    }
  }
}

}  // namespace tabernetes::registry::custom
