// Growing, shrinking and indexing of arrays and objects. Nothing here recurses: a tree may be
// 10,000 levels deep and the stack is small. Tested by tests/core/json/value_test.cc.
#include "json/value.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/text/same_text.h"
#include "json/key_hash.h"

namespace tabernetes::json {
namespace {

constexpr std::uint32_t kSmallestCapacity = 4;
constexpr std::uint32_t kNoMember = 0xFFFFFFFF;

// A half-full index that probes further than this is under attack by colliding keys: it is rebuilt
// with another seed, a few times at most.
constexpr std::uint32_t kLongestSearch = 256;
constexpr std::uint32_t kMaxSeeds = 8;

struct Found {
  std::uint32_t slot;
  std::uint32_t steps;
};

// Returns the slot that holds `key`, or the free one where it belongs.
Found search(const ObjectRep& object, std::string_view key) {
  const std::uint32_t mask = object.index_capacity - 1;
  Found found{hash_key(key, object.index_seed) & mask, 0};
  while (object.index[found.slot] != 0 && object.data[object.index[found.slot] - 1].key != key) {
    found.slot = (found.slot + 1) & mask;
    ++found.steps;
  }
  return found;
}

std::uint32_t find_slot(const ObjectRep& object, std::string_view key) {
  return search(object, key).slot;
}

bool is_attacked(const ObjectRep& object, const Found& found) {
  return found.steps > kLongestSearch && object.index_seed < kMaxSeeds;
}

// Builds the index; the last of equal keys wins.
void fill_index(ObjectRep& object) {
  std::memset(object.index, 0, object.index_capacity * sizeof(std::uint32_t));
  for (std::uint32_t i = 0; i < object.size; ++i) {
    const Found found = search(object, object.data[i].key);
    object.index[found.slot] = i + 1;
    if (!is_attacked(object, found)) continue;
    ++object.index_seed;
    std::memset(object.index, 0, object.index_capacity * sizeof(std::uint32_t));
    i = kNoMember;  // incremented to 0 by the loop
  }
}

// Adds the last member to the index.
void index_last(ObjectRep& object) {
  const Found found = search(object, object.data[object.size - 1].key);
  object.index[found.slot] = object.size;
  if (!is_attacked(object, found)) return;
  ++object.index_seed;
  fill_index(object);
}

// Creates an index that is at most half full when `capacity` members are present.
void make_index(ObjectRep& object, Arena& arena) {
  std::uint32_t slots = 2 * kIndexedFrom;
  while (slots < 2 * object.capacity) slots *= 2;
  object.index = arena.allocate_array<std::uint32_t>(slots);
  object.index_capacity = slots;
  fill_index(object);
}

// Frees a slot and closes the gap, so that probing never meets one (Knuth 6.4, algorithm R).
void free_slot(ObjectRep& object, std::uint32_t gap) {
  const std::uint32_t mask = object.index_capacity - 1;
  object.index[gap] = 0;
  for (std::uint32_t slot = (gap + 1) & mask; object.index[slot] != 0; slot = (slot + 1) & mask) {
    const std::uint32_t home =
        hash_key(object.data[object.index[slot] - 1].key, object.index_seed) & mask;
    // Would move before its home slot.
    if (((slot - home) & mask) < ((slot - gap) & mask)) continue;
    object.index[gap] = object.index[slot];
    object.index[slot] = 0;
    gap = slot;
  }
}

// Returns the last member with that key, or null.
Member* find_member(const ObjectRep& object, std::string_view key) {
  if (object.index != nullptr) {
    const std::uint32_t number = object.index[find_slot(object, key)];
    return number == 0 ? nullptr : object.data + number - 1;
  }
  for (Member* member = object.data + object.size; member != object.data;) {
    --member;
    if (same_text(member->key, key)) return member;
  }
  return nullptr;
}

template <typename Rep>
void grow(Rep& rep, Arena& arena, std::uint32_t capacity) {
  using Element = std::remove_pointer_t<decltype(rep.data)>;
  static_assert(std::is_trivially_copyable_v<Element>);
  auto* data = arena.allocate_array<Element>(capacity);
  if (rep.size > 0) std::memcpy(static_cast<void*>(data), rep.data, rep.size * sizeof(Element));
  rep.data = data;
  rep.capacity = capacity;
}

template <typename Rep>
void grow_for_one_more(Rep& rep, Arena& arena) {
  if (rep.size == rep.capacity) grow(rep, arena, std::max(kSmallestCapacity, 2 * rep.capacity));
}

}  // namespace

void Value::reserve(Arena& arena, std::uint32_t count) {
  if (is_array() && as_.array->capacity < count) grow(*as_.array, arena, count);
  if (is_object() && as_.object->capacity < count) {
    grow(*as_.object, arena, count);
    if (count > kIndexedFrom) make_index(*as_.object, arena);
  }
}

void Value::index_members(Arena& arena) {
  if (as_.object->size > kIndexedFrom) make_index(*as_.object, arena);
}

void Value::push_back(Arena& arena, Value item) { insert(arena, size(), item); }

void Value::insert(Arena& arena, std::uint32_t position, Value item) {
  assert(is_array() && position <= size());
  ArrayRep& array = *as_.array;
  grow_for_one_more(array, arena);
  std::copy_backward(array.data + position, array.data + array.size, array.data + array.size + 1);
  array.data[position] = item;
  ++array.size;
}

void Value::erase_item(std::uint32_t position) {
  assert(is_array() && position < size());
  ArrayRep& array = *as_.array;
  std::copy(array.data + position + 1, array.data + array.size, array.data + position);
  --array.size;
}

Value* Value::find(std::string_view key) const {
  if (!is_object()) return nullptr;
  Member* const member = find_member(*as_.object, key);
  return member == nullptr ? nullptr : &member->value;
}

void Value::set(Arena& arena, std::string_view key, Value value) {
  if (Value* there = find(key)) {
    *there = value;
  } else {
    append(arena, key, value);
  }
}

void Value::append(Arena& arena, std::string_view key, Value value) {
  assert(is_object());
  ObjectRep& object = *as_.object;
  if (object.size == object.capacity) {
    grow_for_one_more(object, arena);
    if (object.capacity > kIndexedFrom) make_index(object, arena);
  }
  new (object.data + object.size) Member{key, value};
  ++object.size;
  if (object.index != nullptr) index_last(object);
}

bool Value::erase(std::string_view key) {
  if (!is_object()) return false;
  ObjectRep& object = *as_.object;
  const Member* const found = find_member(object, key);
  if (found == nullptr) return false;

  const auto last = static_cast<std::uint32_t>(found - object.data);
  Member* const end = object.data + object.size;
  Member* const first =
      std::find_if(object.data, end, [key](const Member& member) { return member.key == key; });
  const bool only_one = first == object.data + last;
  if (object.index != nullptr && only_one) {
    free_slot(object, find_slot(object, key));
    for (std::uint32_t slot = 0; slot < object.index_capacity; ++slot) {
      if (object.index[slot] > last + 1) --object.index[slot];
    }
  }
  Member* const new_end =
      std::remove_if(first, end, [key](const Member& member) { return member.key == key; });
  object.size = static_cast<std::uint32_t>(new_end - object.data);
  if (object.index != nullptr && !only_one) fill_index(object);
  return true;
}

void Value::clear_members() {
  assert(is_object());
  *as_.object = ObjectRep{};
}

void Value::sort_members() {
  ObjectRep& object = *as_.object;
  const auto by_key = [](const Member& a, const Member& b) { return a.key < b.key; };
  if (std::is_sorted(object.data, object.data + object.size, by_key)) return;
  sort_stable(std::span(object.data, object.size), by_key);
  if (object.index != nullptr) fill_index(object);
}

const Value* Value::at(std::initializer_list<std::string_view> path) const {
  const Value* value = this;
  for (const std::string_view key : path) {
    value = value->find(key);
    if (value == nullptr) return nullptr;
  }
  return value;
}

std::string_view Value::string_at(std::string_view key) const {
  const Value* value = find(key);
  return value != nullptr && value->is_string() ? value->as_string() : std::string_view{};
}

Value Value::shallow_copy(Arena& arena) const {
  Value copy = object(arena);
  copy.reserve(arena, size());
  for (const Member& member : members()) copy.append(arena, member.key, member.value);
  return copy;
}

Value Value::clone(Arena& arena) const {
  // Copies children shallowly first, then replaces the shared ones.
  std::vector<Value*> shared;
  const auto unshare = [&arena, &shared](Value& value) {
    switch (value.type_) {
      case Type::kNull:
      case Type::kBool:
      case Type::kInt:
        return;
      case Type::kDouble:
        value = number(arena, value.as_double(), arena.copy(value.double_text()));
        return;
      case Type::kString:
        value = string(arena.copy(value.as_string()));
        return;
      case Type::kArray:
      case Type::kObject:
        shared.push_back(&value);
        return;
    }
  };

  Value result = *this;
  unshare(result);
  while (!shared.empty()) {
    Value& value = *shared.back();
    shared.pop_back();
    const Value original = value;
    if (original.is_array()) {
      value = uninitialized_array(arena, original.size());
      for (std::uint32_t i = 0; i < original.size(); ++i) {
        value.items()[i] = original.items()[i];
        unshare(value.items()[i]);
      }
    } else {
      value = uninitialized_object(arena, original.size());
      for (std::uint32_t i = 0; i < original.size(); ++i) {
        const Member& member = original.members()[i];
        value.members()[i] = {arena.copy(member.key), member.value};
        unshare(value.members()[i].value);
      }
      value.index_members(arena);
    }
  }
  return result;
}

}  // namespace tabernetes::json
