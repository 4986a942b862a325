// The schema of a custom resource: spec.versions[].schema.openAPIV3Schema, compiled once per
// version into a compact, immutable, shared tree.
//
//   auto schema = StructuralSchema::compile(open_api);         // at creation of the definition
//   prune(object, schema->root(), Whole::kObject, arena, &unknown);   // on write and on read
//   prune_nulls(object, schema->root(), arena);
//   apply_defaults(object, schema->root(), arena);
//
// Its limits on values (limits, formats, junctors) are checked by custom/schema/value_validation,
// its rules (x-kubernetes-validations) by custom/schema/cel_rules; patch::Shape describes how its
// lists and maps merge. Descriptions and titles are not kept: documents are made from the
// definition itself.
//
// Source: upstream 1.36 apiextensions-apiserver pkg/apiserver/schema; spec/crd-auth-admission.md
// 2.1 to 2.5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "schema/schema.h"
#include "schema/string_format.h"

namespace tabernetes::schema {

struct Structural;
struct ValueLimits;

// The keyword `type`. kNone: absent, as for int-or-string and branches of junctors.
enum class JsonType : std::uint8_t {
  kNone,
  kArray,
  kBoolean,
  kInteger,
  kNumber,
  kObject,
  kString,
};
// Returns "array"; "" for kNone.
std::string_view json_type_name(JsonType type);

// Returns true for apiVersion, kind and metadata.
bool is_meta_field(std::string_view name);

// The keyword `additionalProperties`; for kSchema the schema is Structural::additional.
enum class Additional : std::uint8_t { kNone, kForbidden, kAnything, kSchema };

struct StructuralProperty {
  std::string_view name;
  const Structural* schema;
};

// A node of a schema, or of a branch of a combinator.
struct Structural {
  JsonType type = JsonType::kNone;
  StringFormat format = StringFormat::kNone;  // kNone if unknown or irrelevant for `type`
  bool nullable : 1 = false;
  bool int_or_string : 1 = false;
  bool preserve_unknown : 1 = false;
  bool embedded : 1 = false;            // x-kubernetes-embedded-resource
  bool list_type_declared : 1 = false;  // an undeclared list is atomic
  bool map_type_declared : 1 = false;   // an undeclared map is granular
  // Whether this node or any below has them, so that walks can skip subtrees.
  bool has_defaults : 1 = false;
  bool has_embedded : 1 = false;
  bool has_keyed_lists : 1 = false;  // sets and maps
  ListType list_type = ListType::kAtomic;
  MapType map_type = MapType::kGranular;
  Additional additional_properties = Additional::kNone;

  std::span<const StructuralProperty> properties;  // sorted by name
  const Structural* items = nullptr;
  const Structural* additional = nullptr;
  std::span<const std::string_view> list_map_keys;
  const json::Value* default_value = nullptr;  // null if absent
  const ValueLimits* limits = nullptr;         // null if absent

  // Returns the schema of property `name`, or null if it is not declared.
  const Structural* property(std::string_view name) const;
  // Returns the schema of property `name` or else of additional properties; null if neither is
  // declared.
  const Structural* member(std::string_view name) const;
};

// A pattern of a schema, compiled on its first use.
class LazyPattern;

// Constraints on values beyond their type.
struct ValueLimits {
  enum Has : std::uint16_t {
    kMaximum = 1,
    kMinimum = 2,
    kMultipleOf = 4,
    kMaxLength = 8,
    kMinLength = 16,
    kMaxItems = 32,
    kMinItems = 64,
    kMaxProperties = 128,
    kMinProperties = 256,
  };
  std::uint16_t has = 0;  // bits of Has: the numbers that are set
  bool exclusive_maximum = false, exclusive_minimum = false;
  std::string_view format;  // as written, if the format is known
  double maximum = 0, minimum = 0, multiple_of = 0;
  std::int64_t max_length = 0, min_length = 0;
  std::int64_t max_items = 0, min_items = 0;
  std::int64_t max_properties = 0, min_properties = 0;
  const LazyPattern* pattern = nullptr;        // null if absent
  const json::Value* enum_values = nullptr;    // an array; null if absent
  std::span<const std::string_view> required;  // in the order of the schema
  std::span<const Structural*const> all_of, any_of, one_of;
  const Structural* not_of = nullptr;

  bool gives(Has limit) const { return (has & limit) != 0; }
};

// Owns a compiled schema with all its texts.
class StructuralSchema {
 public:
  // Compiles an openAPIV3Schema in its typed form (schema::decode_typed of the definition). Never
  // fails: keywords that no valid definition has are ignored.
  static std::shared_ptr<const StructuralSchema> compile(const json::Value& open_api);
  ~StructuralSchema();
  StructuralSchema(const StructuralSchema&) = delete;
  StructuralSchema& operator=(const StructuralSchema&) = delete;

  const Structural& root() const { return *root_; }
  std::size_t node_count() const { return node_count_; }

 private:
  StructuralSchema() = default;
  friend class StructuralCompiler;

  json::Arena arena_;
  std::vector<std::unique_ptr<LazyPattern>> patterns_;
  const Structural* root_ = nullptr;
  std::size_t node_count_ = 0;
};

// A whole object, whose apiVersion, kind and metadata are always kept and have the schemas common
// to all objects, or part of one.
enum class Whole : std::uint8_t { kObject, kPart };

// Removes members unknown to the schema, in place (objects that lose members are rewritten in
// `arena`). Adds the paths of removed members ("spec.a", "spec.list[0].x") to `unknown`, sorted,
// unless it is null.
void prune(json::Value& value, const Structural& schema, Whole whole, json::Arena& arena,
           std::vector<std::string>* unknown = nullptr);

// Removes nulls that are not allowed and have no default, in place.
void prune_nulls(json::Value& value, const Structural& schema, json::Arena& arena);

// Sets defaults for members that are missing, or null though not nullable, in place. The new values
// are allocated in `arena` and share nothing with the schema.
void apply_defaults(json::Value& value, const Structural& schema, json::Arena& arena);

}  // namespace tabernetes::schema
