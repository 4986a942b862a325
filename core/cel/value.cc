#include "cel/value.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>

#include "base/go/duration.h"
#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "base/time/rfc3339.h"
#include "cel/evaluator.h"
#include "json/type_name.h"

namespace tabernetes::cel {
namespace {

constexpr std::uint32_t kIndexedFrom = 16;  // maps with more members have a hash table

Value wrong_type(std::string_view wanted, const json::Value& tree, json::Arena& arena) {
  std::string text = "invalid data, expected ";
  text.append(wanted).append(", got ").append(json::go_dynamic_type(tree));
  return make_error(text, arena);
}

Value make_tree(Kind kind, const json::Value& tree, const Type& type) {
  Value value(kind);
  value.tree = true;
  value.json = &tree;
  value.size = tree.size();
  value.type = &type;
  return value;
}

// Reads data without a schema by its JSON type.
Value plain(const json::Value& tree, const Type& type) {
  switch (tree.type()) {
    case json::Type::kNull:
      return Value(Kind::kNull);
    case json::Type::kBool:
      return make_bool(tree.as_bool());
    case json::Type::kInt:
      return make_int(tree.as_int());
    case json::Type::kDouble:
      return make_double(tree.as_double());
    case json::Type::kString:
      return make_string(tree.as_string());
    default:
      return make_tree(tree.is_array() ? Kind::kList : Kind::kMap, tree, type);
  }
}

// Parses a text with a format: a time, a duration, bytes.
Value formatted(std::string_view text, const Type& type, json::Arena& arena) {
  if (type.kind == Kind::kString) return make_string(text);
  const std::string shown(text);
  if (type.kind == Kind::kBytes) {
    const auto bytes = base64_decode(text);
    if (!bytes) return make_error("Invalid byte formatted string " + shown, arena);
    return make_text(Kind::kBytes, arena.copy(*bytes));
  }
  if (type.kind == Kind::kDuration) {
    const GoDuration span = go_parse_duration(text);
    if (!span.error.empty())
      return make_error("Invalid duration " + shown + ": " + span.error, arena);
    return make_duration(span.value.nanoseconds);
  }
  const auto time = parse_rfc3339_unix(type.special ? shown + "T00:00:00Z" : shown);
  if (!time) return make_error("Invalid date-time formatted string " + shown, arena);
  return make_time(time->seconds, static_cast<std::uint32_t>(time->nanoseconds));
}

std::uint64_t hash_of(const Value& key) {
  std::uint64_t hash = 1469598103934665603U;
  const auto mix = [&](unsigned char byte) { hash = (hash ^ byte) * 1099511628211U; };
  if (key.is(Kind::kString)) {
    for (const char c : key.view()) mix(static_cast<unsigned char>(c));
    return hash;
  }
  // Equal numbers have equal hashes whatever their types.
  const double real = key.is(Kind::kBool)     ? (key.boolean ? 1.5 : 2.5)
                      : key.is(Kind::kInt)    ? static_cast<double>(key.integer)
                      : key.is(Kind::kUint)   ? static_cast<double>(key.natural)
                      : key.is(Kind::kDouble) ? key.real + 0.0
                                              : 0.0;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &real, sizeof bits);
  return (bits ^ bits >> 29) * 0x9e3779b97f4a7c15U;
}

bool same_key(const Value& a, const Value& b) { return equals_scalar(a, b); }

void index_entry(Entries& entries, std::uint32_t number) {
  const std::uint32_t mask = entries.slot_count - 1;
  std::uint32_t at = static_cast<std::uint32_t>(hash_of(entries.data[number].key) >> 20) & mask;
  while (entries.slots[at] != 0) at = (at + 1) & mask;
  entries.slots[at] = number + 1;
}

void index_entries(Entries& entries, json::Arena& arena) {
  entries.slot_count = 64;
  while (entries.slot_count < entries.capacity * 2) entries.slot_count *= 2;
  entries.slots = arena.allocate_array<std::uint32_t>(entries.slot_count);
  std::fill(entries.slots, entries.slots + entries.slot_count, 0U);
  for (std::uint32_t i = 0; i < entries.used; ++i) index_entry(entries, i);
}

const Entry* find_entry(const Value& map, const Value& key) {
  const Entries& entries = *map.entries;
  if (entries.slots == nullptr) {
    for (std::uint32_t i = 0; i < map.size; ++i) {
      if (same_key(entries.data[i].key, key)) return &entries.data[i];
    }
    return nullptr;
  }
  const std::uint32_t mask = entries.slot_count - 1;
  std::uint32_t at = static_cast<std::uint32_t>(hash_of(key) >> 20) & mask;
  for (; entries.slots[at] != 0; at = (at + 1) & mask) {
    const std::uint32_t number = entries.slots[at] - 1;
    if (number < map.size && same_key(entries.data[number].key, key)) return &entries.data[number];
  }
  return nullptr;
}

// Returns storage with room for one element after the `size` that a value sees; copies if another
// value has already appended there.
template <class Store>
Store* room(Store* store, std::uint32_t size, json::Arena& arena) {
  if (store != nullptr && store->used == size && size < store->capacity) return store;
  Store* made = new (arena.allocate(sizeof(Store))) Store{};
  made->capacity = size < 4 ? 8 : size * 2;
  using Element = std::remove_reference_t<decltype(*made->data)>;
  made->data = arena.allocate_array<Element>(made->capacity);
  if (size > 0) std::uninitialized_copy(store->data, store->data + size, made->data);
  made->used = size;
  return made;
}

// Returns the type of a member, or null if expressions cannot see it.
const Type* member_type(const Type& type, std::string_view key) {
  if (type.kind == Kind::kDyn) return &type;
  if (type.kind == Kind::kMap) return type.element;
  for (std::uint32_t i = 0; i < type.field_count; ++i) {
    if (type.fields[i].key == key) return type.fields[i].type;
  }
  return nullptr;
}

}  // namespace

Value make_bool(bool b) {
  Value value(Kind::kBool);
  value.boolean = b;
  return value;
}

Value make_int(std::int64_t i) {
  Value value(Kind::kInt);
  value.integer = i;
  return value;
}

Value make_uint(std::uint64_t u) {
  Value value(Kind::kUint);
  value.natural = u;
  return value;
}

Value make_double(double d) {
  Value value(Kind::kDouble);
  value.real = d;
  return value;
}

Value make_text(Kind kind, std::string_view text) {
  Value value(kind);
  value.text = text.data();
  value.size = static_cast<std::uint32_t>(text.size());
  return value;
}

Value make_string(std::string_view text) { return make_text(Kind::kString, text); }

Value make_time(std::int64_t seconds, std::uint32_t nanoseconds) {
  Value value(Kind::kTimestamp);
  value.integer = seconds;
  value.size = nanoseconds;
  return value;
}

Value make_duration(std::int64_t nanoseconds) {
  Value value(Kind::kDuration);
  value.integer = nanoseconds;
  return value;
}

Value make_type(const Type& type) {
  Value value(Kind::kType);
  value.type_value = &type;
  return value;
}

Value make_optional(const Value* inner) {
  Value value(Kind::kOptional);
  value.inner = inner;
  return value;
}

Value make_optional(const Value& inner, json::Arena& arena) {
  return make_optional(new (arena.allocate(sizeof(Value))) Value(inner));
}

Value make_lazy(Lazy& lazy) {
  Value value(Kind::kParameter);
  value.lazy = &lazy;
  return value;
}

Value make_error(std::string_view text, json::Arena& arena) {
  return make_text(Kind::kError, arena.copy(text));
}

Value from_tree(const json::Value& tree, const Type& type, json::Arena& arena) {
  if (type.kind == Kind::kDyn && !type.special) return plain(tree, type);
  if (tree.is_null()) {
    if (type.nullable) return Value(Kind::kNull);
    return make_error("invalid data, got null for schema with nullable=false", arena);
  }
  switch (type.kind) {
    case Kind::kDyn:
      if (tree.is_string() || tree.is_int()) return plain(tree, type);
      return make_error(
          "invalid data, expected XIntOrString value to be either a string or integer", arena);
    case Kind::kStruct:
    case Kind::kMap:
      if (tree.is_object()) return make_tree(Kind::kMap, tree, type);
      return make_error("invalid data, expected a map for the provided schema with type=object",
                        arena);
    case Kind::kList:
      if (tree.is_array()) return make_tree(Kind::kList, tree, type);
      return make_error("invalid data, expected an array for the provided schema with type=array",
                        arena);
    case Kind::kBool:
      return tree.is_bool() ? plain(tree, type) : wrong_type("bool", tree, arena);
    case Kind::kInt:
      return tree.is_int() ? plain(tree, type) : wrong_type("int", tree, arena);
    case Kind::kDouble:
      return tree.is_number() ? make_double(tree.as_double()) : wrong_type("float", tree, arena);
    case Kind::kUnknown:
      return make_tree(Kind::kUnknown, tree, type);
    default:
      if (!tree.is_string()) return wrong_type("string", tree, arena);
      return formatted(tree.as_string(), type, arena);
  }
}

ListType list_type(const Value& list) {
  const bool typed = list.type != nullptr && list.type->kind == Kind::kList;
  return typed ? list.type->list_type : ListType::kAtomic;
}

std::uint32_t list_size(const Value& list) { return list.size; }

Value list_item(const Value& list, std::uint32_t i, json::Arena& arena) {
  if (!list.tree) return list.items->data[i];
  const Type& type = list.type->kind == Kind::kList ? *list.type->element : *list.type;
  return from_tree(list.json->items()[i], type, arena);
}

Value make_list(json::Arena& arena, std::uint32_t capacity) {
  Value list(Kind::kList);
  list.items = nullptr;
  if (capacity > 0) {
    list.items = new (arena.allocate(sizeof(Items))) Items{};
    list.items->data = arena.allocate_array<Value>(capacity);
    list.items->capacity = capacity;
  }
  return list;
}

void list_append(Value& list, const Value& item, json::Arena& arena) {
  if (list.tree) {  // becomes a computed list
    Value copy = make_list(arena, list.size + 8);
    for (std::uint32_t i = 0; i < list.size; ++i)
      list_append(copy, list_item(list, i, arena), arena);
    copy.type = list.type;
    list = copy;
  }
  list.items = room(list.items, list.size, arena);
  new (list.items->data + list.size) Value(item);
  list.items->used = ++list.size;
}

std::uint32_t map_size(const Value& map) { return map.size; }

Value make_map(json::Arena&) {
  Value map(Kind::kMap);
  map.entries = nullptr;
  return map;
}

bool map_insert(Value& map, const Value& key, const Value& value, json::Arena& arena) {
  if (map.tree) {
    Value copy = make_map(arena);
    Value each;
    for (std::uint32_t place = 0; map_next(map, place, each, arena);) {
      Value found;
      if (map_find(map, each, found, arena)) map_insert(copy, each, found, arena);
    }
    map = copy;
  }
  if (map.entries != nullptr && find_entry(map, key) != nullptr) return false;
  Entries* before = map.entries;
  map.entries = room(map.entries, map.size, arena);
  new (map.entries->data + map.size) Entry{key, value};
  map.entries->used = ++map.size;
  if (map.entries != before && map.size > kIndexedFrom) {
    index_entries(*map.entries, arena);
  } else if (map.entries->slots != nullptr) {
    index_entry(*map.entries, map.size - 1);
  }
  return true;
}

void map_set_default(Value& map, const Value& value, json::Arena& arena) {
  if (map.entries == nullptr) map.entries = new (arena.allocate(sizeof(Entries))) Entries{};
  map.entries->otherwise = new (arena.allocate(sizeof(Value))) Value(value);
}

const Value* map_default(const Value& map) {
  return map.tree || map.entries == nullptr ? nullptr : map.entries->otherwise;
}

bool map_find(const Value& map, const Value& key, Value& found, json::Arena& arena) {
  if (!map.tree) {
    const Entry* entry = map.entries == nullptr ? nullptr : find_entry(map, key);
    if (entry != nullptr) {
      const Value& value = entry->value;
      found = value.is(Kind::kParameter) ? value.lazy->get() : value;
    }
    return entry != nullptr;
  }
  if (!key.is(Kind::kString)) return found = make_error("no such overload", arena), true;
  const bool structure = map.type->kind == Kind::kStruct;
  const Field* field = structure ? map.type->field(key.view()) : nullptr;
  if (structure && field == nullptr) return false;
  const json::Value* member = map.json->find(structure ? field->key : key.view());
  if (member == nullptr || (structure && member->is_null())) return false;
  const Type& type = structure                      ? *field->type
                     : map.type->kind == Kind::kMap ? *map.type->element
                                                    : *map.type;
  found = from_tree(*member, type, arena);
  return true;
}

bool map_next(const Value& map, std::uint32_t& place, Value& key, json::Arena& arena) {
  if (!map.tree) {
    if (place >= map.size) return false;
    key = map.entries->data[place++].key;
    return true;
  }
  const auto members = map.json->members();
  while (place < members.size()) {
    const std::string_view name = members[place++].key;
    if (member_type(*map.type, name) == nullptr) continue;
    const std::string escaped =
        map.type->kind == Kind::kStruct ? escape_field(name) : std::string();
    key = make_string(escaped.empty() || escaped == name ? name : arena.copy(escaped));
    return true;
  }
  return false;
}

std::uint64_t value_size(const Value& value) {
  switch (value.kind) {
    case Kind::kString:
      return count_runes(value.view());
    case Kind::kBytes:
    case Kind::kList:
    case Kind::kMap:
      return value.size;
    case Kind::kOptional:
      return value.inner == nullptr ? 1 : value_size(*value.inner);
    case Kind::kIp:
      return value.ip->v4 ? 4 : 16;
    case Kind::kCidr:
      return value.cidr->address.v4 ? 4 : 16;
    default:
      return 1;
  }
}

}  // namespace tabernetes::cel
