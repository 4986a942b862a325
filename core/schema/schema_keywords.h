// The keywords of an openAPIV3Schema: a view of one node, which finds each of them at once.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "json/value.h"

namespace tabernetes::schema {

enum class Keyword : std::uint8_t {
  kRef,
  kSchema,
  kAdditionalItems,
  kAdditionalProperties,
  kAllOf,
  kAnyOf,
  kDefault,
  kDefinitions,
  kDependencies,
  kDescription,
  kEnum,
  kExample,
  kExclusiveMaximum,
  kExclusiveMinimum,
  kExternalDocs,
  kFormat,
  kId,
  kItems,
  kMaxItems,
  kMaxLength,
  kMaxProperties,
  kMaximum,
  kMinItems,
  kMinLength,
  kMinProperties,
  kMinimum,
  kMultipleOf,
  kNot,
  kNullable,
  kOneOf,
  kPattern,
  kPatternProperties,
  kProperties,
  kRequired,
  kTitle,
  kType,
  kUniqueItems,
  kEmbeddedResource,
  kIntOrString,
  kListMapKeys,
  kListType,
  kMapType,
  kPreserveUnknownFields,
  kValidations,
};
inline constexpr std::size_t kKeywords = 44;

// "x-kubernetes-list-type"
std::string_view keyword_name(Keyword keyword);

// A node in its typed form (schema::decode_typed): every member has its keyword's type.
class SchemaView {
 public:
  explicit SchemaView(const json::Value& node);

  // Null if it is not given.
  const json::Value* operator[](Keyword keyword) const {
    return members_[static_cast<std::size_t>(keyword)];
  }
  bool has(Keyword keyword) const { return (*this)[keyword] != nullptr; }
  // "" if it is not given.
  std::string_view text(Keyword keyword) const;
  bool flag(Keyword keyword) const;
  // Items or members; 0 if it is not given.
  std::uint32_t size(Keyword keyword) const;
  const json::Value& node() const { return *node_; }

  // The schema in `items` or `additionalProperties`; null if there is none, or a list or boolean.
  const json::Value* schema_at(Keyword keyword) const;
  // The property of that name; null if it is not declared.
  const json::Value* property(std::string_view name) const;

 private:
  const json::Value* node_;
  std::array<const json::Value*, kKeywords> members_{};
};

}  // namespace tabernetes::schema
