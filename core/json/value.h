// The working tree of a request: JSON values in an arena.
//
// A Value is 16 bytes and is copied by value; arrays and objects are references to storage in the
// arena, so a copy of a Value shares its children with the original (clone() does not). Members
// keep their order. Strings are views: of the request's body, of static text, or of the arena
// (Arena::copy). Nothing here throws; calling an accessor of the wrong type is a bug (assert).
#pragma once

#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <string_view>

#include "json/arena.h"

namespace tabernetes::json {

enum class Type : std::uint8_t { kNull, kBool, kInt, kDouble, kString, kArray, kObject };

class Value;
struct Member;

template <typename T>
class Range {
 public:
  Range(T* first, std::uint32_t count) : first_(first), count_(count) {}
  T* begin() const { return first_; }
  T* end() const { return first_ + count_; }
  std::uint32_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  T& operator[](std::size_t i) const {
    assert(i < count_);
    return first_[i];
  }

 private:
  T* first_;
  std::uint32_t count_;
};

struct ArrayRep {
  Value* data = nullptr;
  std::uint32_t size = 0;
  std::uint32_t capacity = 0;
};

// Objects beyond 32 members get an index (open addressing; a slot holds the member's number + 1, or
// 0 if free).
struct ObjectRep {
  Member* data = nullptr;
  std::uint32_t size = 0;
  std::uint32_t capacity = 0;
  std::uint32_t* index = nullptr;
  std::uint32_t index_capacity = 0;
  std::uint32_t index_seed = 0;
};

// A number that is not an int64, with its text as sent.
struct DoubleRep {
  double value = 0;
  std::string_view text;
};

class Value {
 public:
  Value() : type_(Type::kNull), length_(0) { as_.integer = 0; }

  static Value null() { return Value(); }
  static Value boolean(bool b) {
    Value v(Type::kBool);
    v.as_.boolean = b;
    return v;
  }
  static Value integer(std::int64_t i) {
    Value v(Type::kInt);
    v.as_.integer = i;
    return v;
  }
  // `text` (a view that outlives the tree) is the number as sent; empty if computed.
  static Value number(Arena& arena, double d, std::string_view text = {}) {
    Value v(Type::kDouble);
    v.as_.real = new (arena.allocate(sizeof(DoubleRep))) DoubleRep{d, text};
    return v;
  }
  // Keeps the view without copying: see the file comment.
  static Value string(std::string_view s) {
    Value v(Type::kString);
    v.as_.text = s.data();
    v.length_ = static_cast<std::uint32_t>(s.size());
    return v;
  }
  static Value array(Arena& arena) {
    Value v(Type::kArray);
    v.as_.array = new (arena.allocate(sizeof(ArrayRep))) ArrayRep{};
    return v;
  }
  static Value object(Arena& arena) {
    Value v(Type::kObject);
    v.as_.object = new (arena.allocate(sizeof(ObjectRep))) ObjectRep{};
    return v;
  }

  // For callers that know the count: `count` items or members that must be written through items()
  // or members() before any other use; an object is then completed by index_members().
  static Value uninitialized_array(Arena& arena, std::uint32_t count) {
    Value v(Type::kArray);
    v.as_.array = new (arena.allocate(sizeof(ArrayRep)))
        ArrayRep{arena.allocate_array<Value>(count), count, count};
    return v;
  }
  static Value uninitialized_object(Arena& arena, std::uint32_t count);
  void index_members(Arena& arena);

  Type type() const { return type_; }
  bool is_null() const { return type_ == Type::kNull; }
  bool is_bool() const { return type_ == Type::kBool; }
  bool is_int() const { return type_ == Type::kInt; }
  bool is_double() const { return type_ == Type::kDouble; }
  bool is_number() const { return is_int() || is_double(); }
  bool is_string() const { return type_ == Type::kString; }
  bool is_array() const { return type_ == Type::kArray; }
  bool is_object() const { return type_ == Type::kObject; }

  bool as_bool() const { return assert(is_bool()), as_.boolean; }
  std::int64_t as_int() const { return assert(is_int()), as_.integer; }
  double as_double() const {
    assert(is_number());
    return is_int() ? static_cast<double>(as_.integer) : as_.real->value;
  }
  // Returns the text of a double as sent; empty if computed.
  std::string_view double_text() const { return assert(is_double()), as_.real->text; }
  std::string_view as_string() const {
    assert(is_string());
    return {as_.text, length_};
  }

  // Returns the number of items or members; 0 for other types.
  std::uint32_t size() const {
    return is_array() ? as_.array->size : is_object() ? as_.object->size : 0;
  }

  // Reserves room for `count` items or members in total, so that adding them moves nothing.
  void reserve(Arena& arena, std::uint32_t count);

  // Arrays.
  Range<Value> items() const;
  void push_back(Arena& arena, Value item);
  void insert(Arena& arena, std::uint32_t position, Value item);  // REQUIRES: position <= size()
  void erase_item(std::uint32_t position);                        // REQUIRES: position < size()

  // Objects.
  Range<Member> members() const;
  // Returns the member's value, or null if it is missing or this is not an object. Of duplicate
  // keys (possible only straight after the reader) returns the last. Valid until members are added
  // or erased.
  Value* find(std::string_view key) const;
  // Sets the member, appending it if it is new. Keeps the view `key`.
  void set(Arena& arena, std::string_view key, Value value);
  // Appends a member without checking whether the key exists.
  void append(Arena& arena, std::string_view key, Value value);
  // Removes every member with that key; returns whether there was one. Keeps the order of the
  // others.
  bool erase(std::string_view key);
  void clear_members();
  // Sorts the members bytewise by key, as Go writes maps.
  void sort_members();

  // Follows member names; returns null if one is missing.
  const Value* at(std::initializer_list<std::string_view> path) const;
  // Returns the string at member `key`; empty if missing or not a string.
  std::string_view string_at(std::string_view key) const;

  // Returns an object whose members can be replaced without changing this one; their values are
  // shared. REQUIRES: is_object().
  Value shallow_copy(Arena& arena) const;
  // Returns a deep copy in `arena`, strings included.
  Value clone(Arena& arena) const;

 private:
  explicit Value(Type type) : type_(type), length_(0) { as_.integer = 0; }

  union {
    bool boolean;
    std::int64_t integer;
    DoubleRep* real;
    const char* text;
    ArrayRep* array;
    ObjectRep* object;
  } as_;
  Type type_;
  std::uint32_t length_;
};

struct Member {
  std::string_view key;
  Value value;
};

inline constexpr std::uint32_t kIndexedFrom = 32;  // objects with more members have an index

inline Value Value::uninitialized_object(Arena& arena, std::uint32_t count) {
  Value v(Type::kObject);
  v.as_.object = new (arena.allocate(sizeof(ObjectRep)))
      ObjectRep{arena.allocate_array<Member>(count), count, count};
  return v;
}
inline Range<Value> Value::items() const {
  assert(is_array());
  return {as_.array->data, as_.array->size};
}
inline Range<Member> Value::members() const {
  assert(is_object());
  return {as_.object->data, as_.object->size};
}

}  // namespace tabernetes::json
