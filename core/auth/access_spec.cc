#include "auth/access_spec.h"

#include <utility>

#include "base/algorithm/sort.h"
#include "registry/selectors/field_selector.h"
#include "registry/selectors/label_selector.h"

namespace tabernetes::auth {
namespace {

using json::Value;
using registry::FieldSelector;
using registry::LabelSelector;

class SpecWriter {
 public:
  SpecWriter(const Attributes& wanted, SpecForm form, json::Arena& arena)
      : wanted_(wanted), form_(form), arena_(arena) {}

  Value write() {
    Value spec = Value::object(arena_);
    if (wanted_.on_resource) {
      spec.append(arena_, "resourceAttributes", resource());
    } else {
      Value other = Value::object(arena_);
      add(other, "path", wanted_.path);
      add(other, "verb", wanted_.verb);
      spec.append(arena_, "nonResourceAttributes", other);
    }
    add(spec, "user", wanted_.user.name);
    add_list(spec, form_ == SpecForm::kV1beta1 ? "group" : "groups", wanted_.user.groups);
    add_extra(spec);
    add(spec, "uid", wanted_.user.uid);
    return spec;
  }

 private:
  bool whole() const { return form_ == SpecForm::kExpression; }

  void add(Value& object, std::string_view key, std::string_view text) {
    if (!text.empty() || whole()) object.append(arena_, key, Value::string(text));
  }

  template <typename Texts>
  void add_list(Value& object, std::string_view key, const Texts& texts) {
    if (texts.empty() && !whole()) return;
    object.append(arena_, key, list_of(texts));
  }

  template <typename Texts>
  Value list_of(const Texts& texts) {
    Value list = Value::array(arena_);
    for (const auto& text : texts) list.push_back(arena_, Value::string(arena_.copy(text)));
    return list;
  }

  void add_extra(Value& spec) {
    if (wanted_.user.extra.empty() && !whole()) return;
    auto sorted = wanted_.user.extra;
    sort_stable(sorted);
    Value extra = Value::object(arena_);
    for (const auto& [key, values] : sorted)
      extra.append(arena_, arena_.copy(key), list_of(values));
    spec.append(arena_, "extra", extra);
  }

  Value resource() {
    Value resource = Value::object(arena_);
    add(resource, "namespace", wanted_.ns);
    add(resource, "verb", wanted_.verb);
    add(resource, "group", wanted_.group);
    add(resource, "version", wanted_.version);
    add(resource, "resource", wanted_.resource);
    add(resource, "subresource", wanted_.subresource);
    add(resource, "name", wanted_.name);
    add_requirements(resource, "fieldSelector", fields());
    add_requirements(resource, "labelSelector", labels());
    return resource;
  }

  void add_requirements(Value& resource, std::string_view key, const Value& requirements) {
    if (requirements.size() == 0) return;
    Value selector = Value::object(arena_);
    selector.append(arena_, "requirements", requirements);
    resource.append(arena_, key, selector);
  }

  template <typename Texts>
  void add_requirement(Value& list, std::string_view key, std::string_view op,
                       const Texts& values) {
    Value requirement = Value::object(arena_);
    requirement.append(arena_, "key", Value::string(arena_.copy(key)));
    requirement.append(arena_, "operator", Value::string(op));
    add_list(requirement, "values", values);
    list.push_back(arena_, requirement);
  }

  // Selectors only narrow: one that cannot be parsed does not count.
  Value fields() {
    Value list = Value::array(arena_);
    const auto selector = registry::parse_field_selector(wanted_.field_selector);
    if (!selector) return list;
    for (const FieldSelector::Term& term : selector->terms()) {
      const bool equal = term.op == FieldSelector::Operator::kEquals;
      add_requirement(list, term.field, equal ? "In" : "NotIn", std::vector{term.value});
    }
    return list;
  }

  Value labels() {
    Value list = Value::array(arena_);
    const auto selector = registry::parse_label_selector(wanted_.label_selector);
    if (!selector) return list;
    for (const LabelSelector::Requirement& requirement : selector->requirements()) {
      const std::string_view op = operator_of(requirement.op);
      if (!op.empty()) add_requirement(list, requirement.key, op, requirement.values);
    }
    return list;
  }

  // Returns an empty text for operators that reviews cannot express.
  static std::string_view operator_of(LabelSelector::Operator op) {
    switch (op) {
      case LabelSelector::Operator::kExists:
        return "Exists";
      case LabelSelector::Operator::kDoesNotExist:
        return "DoesNotExist";
      case LabelSelector::Operator::kEquals:
      case LabelSelector::Operator::kDoubleEquals:
      case LabelSelector::Operator::kIn:
        return "In";
      case LabelSelector::Operator::kNotEquals:
      case LabelSelector::Operator::kNotIn:
        return "NotIn";
      case LabelSelector::Operator::kGreaterThan:
      case LabelSelector::Operator::kLessThan:
        break;
    }
    return {};
  }

  const Attributes& wanted_;
  SpecForm form_;
  json::Arena& arena_;
};

}  // namespace

Value access_spec(const Attributes& wanted, SpecForm form, json::Arena& arena) {
  return SpecWriter(wanted, form, arena).write();
}

}  // namespace tabernetes::auth
