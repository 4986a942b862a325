// The values of expressions.
//
// A value is small and copied like a number. Texts are views; lists and maps are either part of the
// object itself, read on access by its schema, or computed and allocated in the evaluation's arena.
// Nothing of the object is copied.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/net/ip_address.h"
#include "cel/type.h"
#include "json/arena.h"
#include "json/value.h"

namespace tabernetes::cel {

struct Items;
struct Entries;
struct Lazy;
struct AccessState;

struct Value {
  Kind kind = Kind::kNull;
  bool tree = false;       // kList, kMap: part of an object
  std::uint32_t size = 0;  // bytes of a text; items; nanoseconds of a time within its second
  union {
    bool boolean;
    std::int64_t integer;  // also seconds of a time since 1970, nanoseconds of a duration
    std::uint64_t natural;
    double real;
    const char* text;
    const json::Value* json;
    Items* items;
    Entries* entries;
    const Type* type_value;
    const Value* inner;  // kOptional: null if empty
    const IpAddress* ip;
    const IpRange* cidr;
    const AccessState* access;  // kAuthorizer to kDecision: see access.h
    Lazy* lazy;                 // kParameter: not computed yet, in the entry of a map
  };
  const Type* type = nullptr;  // of a part of an object

  Value() : integer(0) {}
  explicit Value(Kind k) : kind(k), integer(0) {}

  std::string_view view() const { return {text, size}; }
  bool is(Kind k) const { return kind == k; }
  bool is_error() const { return kind == Kind::kError; }
  bool is_true() const { return kind == Kind::kBool && boolean; }
};

// A value computed on its first use.
struct Lazy {
  virtual Value get() = 0;

 protected:
  ~Lazy() = default;
};

// The items of a computed list. Lists share storage: appending to a list that ends where the stored
// items end writes after them.
struct Items {
  Value* data = nullptr;
  std::uint32_t used = 0;
  std::uint32_t capacity = 0;
};

struct Entry {
  Value key, value;
};

// The entries of a computed map, shared in the same way; large maps have a hash table.
struct Entries {
  Entry* data = nullptr;
  const Value* otherwise = nullptr;  // what is found for other keys; null: nothing
  std::uint32_t used = 0;
  std::uint32_t capacity = 0;
  std::uint32_t* slots = nullptr;  // index of the entry + 1
  std::uint32_t slot_count = 0;
};

Value make_bool(bool b);
Value make_int(std::int64_t i);
Value make_uint(std::uint64_t u);
Value make_double(double d);
Value make_text(Kind kind, std::string_view text);  // keeps the view
Value make_string(std::string_view text);
Value make_time(std::int64_t seconds, std::uint32_t nanoseconds);
Value make_duration(std::int64_t nanoseconds);
Value make_type(const Type& type);
Value make_optional(const Value* inner);
Value make_optional(const Value& inner, json::Arena& arena);
Value make_lazy(Lazy& lazy);  // REQUIRES: `lazy` outlives the value
Value make_error(std::string_view text, json::Arena& arena);

// Returns a part of an object as a value of its schema's type, or an error if its type differs.
// Data without a schema (`type` kDyn) is read by its JSON type.
Value from_tree(const json::Value& tree, const Type& type, json::Arena& arena);

// Lists. list_type() is the schema's list type, which determines equality and sums.
ListType list_type(const Value& list);
std::uint32_t list_size(const Value& list);
Value list_item(const Value& list, std::uint32_t i, json::Arena& arena);
Value make_list(json::Arena& arena, std::uint32_t capacity = 0);
void list_append(Value& list, const Value& item, json::Arena& arena);

// Maps. The size includes members that expressions cannot see, as upstream's does.
std::uint32_t map_size(const Value& map);
Value make_map(json::Arena& arena);
// Returns false if the key exists already.
bool map_insert(Value& map, const Value& key, const Value& value, json::Arena& arena);
// Lets look-ups of other keys in a computed map find `value`; the map does not contain them.
// REQUIRES: nothing is inserted later.
void map_set_default(Value& map, const Value& value, json::Arena& arena);
// Returns that value, or null.
const Value* map_default(const Value& map);
// Returns false if the key is missing; `found` may become an error.
bool map_find(const Value& map, const Value& key, Value& found, json::Arena& arena);
// Iterates over the keys: `place` starts at 0; returns false at the end.
bool map_next(const Value& map, std::uint32_t& place, Value& key, json::Arena& arena);

// Returns the size that costs depend on: bytes of a string or bytes; characters of a string; items;
// members; 1 for anything else.
std::uint64_t value_size(const Value& value);

}  // namespace tabernetes::cel
