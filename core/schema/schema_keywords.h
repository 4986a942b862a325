// The keywords of an openAPIV3Schema, and a view of a node with constant-time access to each.
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

// Returns "x-kubernetes-list-type".
std::string_view keyword_name(Keyword keyword);

// A node in its typed form (schema::decode_typed): every member has its keyword's type.
class SchemaView {
 public:
  explicit SchemaView(const json::Value& node);

  // Returns null if the keyword is absent.
  const json::Value* operator[](Keyword keyword) const {
    return members_[static_cast<std::size_t>(keyword)];
  }
  bool has(Keyword keyword) const { return (*this)[keyword] != nullptr; }
  // Returns "" if the keyword is absent.
  std::string_view text(Keyword keyword) const;
  bool flag(Keyword keyword) const;
  // Returns the number of items or members; 0 if the keyword is absent.
  std::uint32_t size(Keyword keyword) const;
  const json::Value& node() const { return *node_; }

  // Returns the schema in `items` or `additionalProperties`; null if absent, or a list or boolean.
  const json::Value* schema_at(Keyword keyword) const;
  // Returns the schema of a property, or null if it is not declared.
  const json::Value* property(std::string_view name) const;

 private:
  const json::Value* node_;
  std::array<const json::Value*, kKeywords> members_{};
};

}  // namespace tabernetes::schema
