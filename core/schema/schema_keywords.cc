#include "schema/schema_keywords.h"

#include <algorithm>
#include <string>

namespace tabernetes::schema {
namespace {

using json::Value;

// Sorted, in the order of Keyword; those of Kubernetes without their prefix "x-kubernetes-".
constexpr std::array<std::string_view, kKeywords> kKeywordNames = {
    "$ref",
    "$schema",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "default",
    "definitions",
    "dependencies",
    "description",
    "enum",
    "example",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "format",
    "id",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "nullable",
    "oneOf",
    "pattern",
    "patternProperties",
    "properties",
    "required",
    "title",
    "type",
    "uniqueItems",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-validations",
};

}  // namespace

std::string_view keyword_name(Keyword keyword) {
  return kKeywordNames[static_cast<std::size_t>(keyword)];
}

SchemaView::SchemaView(const Value& node) : node_(&node) {
  if (!node.is_object()) return;
  for (const json::Member& member : node.members()) {
    const auto* const found =
        std::lower_bound(kKeywordNames.begin(), kKeywordNames.end(), member.key);
    if (found == kKeywordNames.end() || *found != member.key || member.value.is_null()) continue;
    members_[static_cast<std::size_t>(found - kKeywordNames.begin())] = &member.value;
  }
}

std::string_view SchemaView::text(Keyword keyword) const {
  const Value* value = (*this)[keyword];
  return value != nullptr && value->is_string() ? value->as_string() : std::string_view();
}

bool SchemaView::flag(Keyword keyword) const {
  const Value* value = (*this)[keyword];
  return value != nullptr && value->is_bool() && value->as_bool();
}

std::uint32_t SchemaView::size(Keyword keyword) const {
  const Value* value = (*this)[keyword];
  return value == nullptr ? 0 : value->size();
}

const Value* SchemaView::schema_at(Keyword keyword) const {
  const Value* value = (*this)[keyword];
  return value != nullptr && value->is_object() ? value : nullptr;
}

const Value* SchemaView::property(std::string_view name) const {
  const Value* properties = (*this)[Keyword::kProperties];
  return properties == nullptr ? nullptr : properties->find(name);
}

}  // namespace tabernetes::schema
