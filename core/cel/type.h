// The types of the Common Expression Language (CEL), and those made from an OpenAPI schema.
//
// A type is immutable and lives in the arena that it was made in. Simple types are static. What
// a schema says beyond the type (how long, which kind of list) stands in the same node, since the
// checker, the evaluator and the estimate of costs all walk the one tree.
// Source: apiserver 1.36 pkg/cel/common/schemas.go, pkg/cel/types.go; cel-go 0.26 common/types.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/arena.h"
#include "json/value.h"

namespace tabernetes::cel {

// Of types and of values alike.
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
  kUnknown,    // data that no schema describes; can only be compared
  kParameter,  // of a function's signature, or not known yet
};

enum class ListType : std::uint8_t { kAtomic, kSet, kMap };

struct Type;

struct Field {
  std::string_view name;  // as expressions write it: `a__dash__b`
  std::string_view key;   // as it stands in the object: `a-b`
  const Type* type = nullptr;
};

struct Type {
  Kind kind = Kind::kDyn;
  // kDyn: x-kubernetes-int-or-string. kTimestamp: of format `date`.
  bool special = false;
  bool nullable = false;
  bool exposed = true;  // expressions may name it: all of it is described
  ListType list_type = ListType::kAtomic;
  std::uint32_t field_count = 0;
  const Type* key = nullptr;      // kMap
  const Type* element = nullptr;  // kList, kMap, kOptional, kType
  const Field* fields = nullptr;  // kStruct: sorted by name
  const Type* parent = nullptr;   // where a schema's type stands
  std::string_view name;          // kParameter; kStruct, kList, kMap: the step from the parent
  json::Value list_keys;          // of a list of ListType::kMap
  std::int64_t max_elements = 0;  // of a value; 0 where that says nothing
  std::int64_t min_size = 0;      // bytes of the shortest JSON

  // By the name that expressions use; null if there is none.
  const Field* field(std::string_view wanted) const;
};

// The static type of a kind that has no parameters.
const Type& simple_type(Kind kind);

const Type* list_of(const Type& element, json::Arena& arena);
const Type* map_of(const Type& key, const Type& element, json::Arena& arena);
const Type* struct_of(const std::vector<Field>& fields, json::Arena& arena);  // sorted by name
const Type* optional_of(const Type& element, json::Arena& arena);
const Type* type_of(const Type& type, json::Arena& arena);

// The type of a structural schema's JSON. `resource_root`: it has apiVersion, kind and the name in
// its metadata even if the schema is silent. The type keeps nothing of `schema`. Never null;
// `exposed` is false where expressions cannot name it.
const Type* schema_type(const json::Value& schema, bool resource_root, json::Arena& arena);

// Names of fields as identifiers: `a-b` is `a__dash__b`, `in` is `__in__`. Empty if the name cannot
// be written.
std::string escape_field(std::string_view key);

// "list(int)", "map(string, dyn)", "timestamp": as the checker's messages print types.
std::string to_string(const Type& type);
// "google.protobuf.Timestamp", "list": as values name their type.
std::string_view runtime_name(Kind kind);

// The same type, structures by identity.
bool same_type(const Type& a, const Type& b);

}  // namespace tabernetes::cel
