#include <algorithm>

#include "codec/json_reader.h"
#include "kinds/table/kinds.h"
#include "kinds/table/selectable_fields.h"
#include "registry/selectors/field_selector.h"
#include "registry/selectors/label_selector.h"
#include "schema/schema.h"
#include "server/encode/fault.h"
#include "tabernetes/standalone.h"

namespace tabernetes {
namespace {

using LabelOperator = registry::LabelSelector::Operator;
using FieldOperator = registry::FieldSelector::Operator;

std::string_view name_of(LabelOperator op) {
  switch (op) {
    case LabelOperator::kExists:
      return "exists";
    case LabelOperator::kDoesNotExist:
      return "!";
    case LabelOperator::kEquals:
      return "=";
    case LabelOperator::kDoubleEquals:
      return "==";
    case LabelOperator::kNotEquals:
      return "!=";
    case LabelOperator::kIn:
      return "in";
    case LabelOperator::kNotIn:
      return "notin";
    case LabelOperator::kGreaterThan:
      return "gt";
    case LabelOperator::kLessThan:
      return "lt";
  }
  return "";
}

std::string_view name_of(FieldOperator op) { return op == FieldOperator::kEquals ? "=" : "!="; }

Expected<ParsedSelector> parse_labels(std::string_view text) {
  const Result<registry::LabelSelector> selector = registry::parse_label_selector(text);
  if (!selector) return server::fault_of(selector.error());
  ParsedSelector parsed{.canonical = selector->to_string(), .terms = {}};
  for (const auto& requirement : selector->requirements()) {
    parsed.terms.push_back({requirement.key, name_of(requirement.op), requirement.values});
  }
  return parsed;
}

Expected<ParsedSelector> parse_fields(std::string_view text) {
  const Result<registry::FieldSelector> selector = registry::parse_field_selector(text);
  if (!selector) return server::fault_of(selector.error());
  ParsedSelector parsed{.canonical = selector->to_string(), .terms = {}};
  for (const auto& term : selector->terms()) {
    parsed.terms.push_back({term.field, name_of(term.op), {term.value}});
  }
  return parsed;
}

// Returns the resource of an object's kind, or null.
const schema::Resource* find_resource(const json::Value& object) {
  const std::string_view api_version = object.string_at("apiVersion");
  const std::string_view kind = object.string_at("kind");
  const std::size_t slash = api_version.find('/');
  const bool core = slash == std::string_view::npos;
  const std::string_view group = core ? std::string_view() : api_version.substr(0, slash);
  const std::string_view version = core ? api_version : api_version.substr(slash + 1);
  for (const schema::Resource& resource : schema::Catalogue::built_in().resources()) {
    if (resource.kind == kind && resource.group == group && resource.version == version) {
      return &resource;
    }
  }
  return nullptr;
}

}  // namespace

Expected<ParsedSelector> parse_selector(SelectorKind kind, std::string_view text) {
  return kind == SelectorKind::kLabels ? parse_labels(text) : parse_fields(text);
}

Expected<bool> match_values(SelectorKind kind, std::string_view text,
                            std::span<const std::pair<std::string_view, std::string_view>> values) {
  if (kind == SelectorKind::kLabels) {
    const Result<registry::LabelSelector> selector = registry::parse_label_selector(text);
    if (!selector) return server::fault_of(selector.error());
    return selector->matches(values);
  }
  const Result<registry::FieldSelector> selector = registry::parse_field_selector(text);
  if (!selector) return server::fault_of(selector.error());
  const auto value_of = [&](std::string_view field) {
    const auto found = std::find_if(values.begin(), values.end(),
                                    [&](auto& value) { return value.first == field; });
    return found == values.end() ? std::string_view() : found->second;
  };
  return selector->matches(value_of);
}

Expected<bool> match_fields_of(std::string_view text, std::string_view object) {
  Result<registry::FieldSelector> selector = registry::parse_field_selector(text);
  if (!selector) return server::fault_of(selector.error());
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(object, arena);
  if (!read.ok()) return server::fault_of(*errors::bad_request(read.error));
  static const schema::Resource kUnknown;
  const schema::Resource* resource = find_resource(read.value);
  if (resource != nullptr) {
    selector = selector->resolve(
        *resource,
        registry::kinds::find_kind(resource->group, resource->kind).strategy.unknown_field_label);
    if (!selector) return server::fault_of(selector.error());
  }
  const schema::Resource& known = resource != nullptr ? *resource : kUnknown;
  const auto value_of = [&](std::string_view field) {
    return registry::kinds::selectable_field(known, field, read.value);
  };
  return selector->matches(value_of);
}

}  // namespace tabernetes
