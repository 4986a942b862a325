// The types of the Common Expression Language (CEL), and types made from an OpenAPI schema.
//
// A type is immutable and lives in the arena it was made in. Simple types are static. A node also
// holds the schema's further facts (sizes, kind of list), since the checker, the evaluator and the
// cost estimator all walk the same tree. Source: apiserver 1.36 pkg/cel/common/schemas.go,
// pkg/cel/types.go; cel-go 0.26 common/types.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/arena.h"
#include "json/value.h"

namespace tabernetes::cel {

// Kinds of types and of values.
enum class Kind : std::uint8_t {
  kError,
  kDyn,
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kDuration,
  kTimestamp,
  kType,
  kList,
  kMap,
  kStruct,  // of a schema; its values are of kind kMap
  kOptional,
  kUrl,
  kQuantity,
  kIp,
  kCidr,
  kSemver,
  kFormat,
  kAuthorizer,
  kPathCheck,
  kGroupCheck,
  kResourceCheck,
  kDecision,
  kUnknown,    // data without a schema; can only be compared
  kParameter,  // of a function's signature, or not inferred yet
};

enum class ListType : std::uint8_t { kAtomic, kSet, kMap };

struct Type;

struct Field {
  std::string_view name;  // as in expressions: `a__dash__b`
  std::string_view key;   // as in the object: `a-b`
  const Type* type = nullptr;
};

struct Type {
  Kind kind = Kind::kDyn;
  // kDyn: x-kubernetes-int-or-string. kTimestamp: of format `date`.
  bool special = false;
  bool nullable = false;
  bool exposed = true;  // expressions may name it: its schema is complete
  ListType list_type = ListType::kAtomic;
  std::uint32_t field_count = 0;
  const Type* key = nullptr;      // kMap
  const Type* element = nullptr;  // kList, kMap, kOptional, kType
  const Field* fields = nullptr;  // kStruct: sorted by name
  const Type* parent = nullptr;   // of a schema's type: the enclosing type
  std::string_view name;          // kParameter; kStruct, kList, kMap: the step from the parent
  json::Value list_keys;          // of a list of ListType::kMap
  std::int64_t max_elements = 0;  // of a value; 0 if not applicable
  std::int64_t min_size = 0;      // size in bytes of the shortest JSON

  // Returns the field by the name that expressions use, or null.
  const Field* field(std::string_view wanted) const;
};

// Returns the static type of a kind without parameters.
const Type& simple_type(Kind kind);

const Type* list_of(const Type& element, json::Arena& arena);
const Type* map_of(const Type& key, const Type& element, json::Arena& arena);
const Type* struct_of(const std::vector<Field>& fields, json::Arena& arena);  // sorted by name
const Type* optional_of(const Type& element, json::Arena& arena);
const Type* type_of(const Type& type, json::Arena& arena);

// Returns the type for a structural schema in JSON. With `resource_root` it has apiVersion, kind
// and the name in its metadata even if the schema does not declare them. Keeps nothing of `schema`.
// Never returns null; `exposed` is false if expressions cannot name the type.
const Type* schema_type(const json::Value& schema, bool resource_root, json::Arena& arena);

// Escapes a field name as an identifier: `a-b` to `a__dash__b`, `in` to `__in__`. Returns an empty
// text if that is impossible.
std::string escape_field(std::string_view key);

// Prints a type as the checker's messages do: "list(int)", "map(string, dyn)", "timestamp".
std::string to_string(const Type& type);
// Returns a type's name as values report it: "google.protobuf.Timestamp", "list".
std::string_view runtime_name(Kind kind);

// Returns whether the types are equal; structures compare by identity.
bool same_type(const Type& a, const Type& b);

}  // namespace tabernetes::cel
