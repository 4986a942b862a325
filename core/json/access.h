// Reading a tree by paths of member names. What is missing or of another type reads as empty, 0 or
// false. Argument-dependent lookup finds these names wherever a Value is at hand.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "json/value.h"

namespace tabernetes::json {

using Path = std::initializer_list<std::string_view>;

// Returns true if there is a value other than null.
bool has(const Value& object, Path path);

// Returns the string that `value` is.
std::string_view text_of(const Value& value);
std::string_view text_of(const Value* value);

// Returns the string at `path`.
std::string_view text_at(const Value& object, Path path);
// Returns the string at `path`, or `unset` if there is no value or null.
std::string_view text_if_set(const Value& object, Path path, std::string_view unset);
std::int64_t number_at(const Value& object, Path path);
bool bool_at(const Value& object, Path path);
Range<Value> items_at(const Value& object, Path path);
Range<Member> members_at(const Value& object, Path path);

// Returns what stands at a path of names with dots between them: members, or numbers of items
// ("spec.containers.0.name"). Null if there is nothing; `value` itself for an empty path.
const Value* follow(const Value* value, std::string_view path);

// Returns member `key` if it is an object, else null.
Value* object_in(const Value& object, std::string_view key);
// Returns the items of member `key`; none if it is no array.
Range<Value> items_in(const Value& object, std::string_view key);

// Returns a scalar as text: a string itself, numbers as sent, "true". Empty for anything else, for
// computed doubles and for null pointers.
std::string scalar_text(const Value* value);

}  // namespace tabernetes::json
