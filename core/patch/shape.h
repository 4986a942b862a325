// The structure of a value for server-side apply: a leaf, or a container whose parts may have
// different owners. Source: spec/patch-apply.md 6.3.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "json/value.h"
#include "patch/path_element.h"
#include "schema/field_cursor.h"
#include "schema/schema.h"
#include "schema/structural.h"

namespace tabernetes::patch {

struct Shape {
  enum class Kind {
    kLeaf,       // a scalar, or owned as a whole
    kStruct,     // the fields of `type`
    kMap,        // free keys, values of `element`
    kSet,        // a list of scalars, each with its own owners
    kKeyedList,  // a list whose items are identified by `keys`
  };

  static Shape of_type(const schema::Type& type);
  // Returns the shape of a field; with a null `field`, of a list's item or a map's value.
  static Shape of(const schema::TypeRef& ref, const schema::Field* field);
  // Returns the shape of a custom object.
  static Shape of_custom_object(const schema::Structural& schema);

  bool is_map() const { return kind == Kind::kStruct || kind == Kind::kMap; }
  bool is_list() const { return kind == Kind::kSet || kind == Kind::kKeyedList; }

  // Returns the shape of a member, or nullopt if the struct lacks it. `declared` distinguishes
  // fields from free keys.
  struct Member;
  std::optional<Member> member(std::string_view name) const;
  // Returns the shape of a list's items.
  Shape item() const;
  // Returns the path element of a list item, or nullopt: see item_problem().
  std::optional<PathElement> item_element(const json::Value& item) const;
  // Returns why an item has no path element.
  std::string item_problem(const json::Value& item) const;

  Kind kind = Kind::kLeaf;
  const schema::TypeRef* ref = nullptr;      // of the position; null at the root
  const schema::Type* type = nullptr;        // kStruct
  const schema::TypeRef* element = nullptr;  // kMap, kSet, kKeyedList
  std::span<const std::string_view> keys;    // kKeyedList

  // For values in a custom object, used instead of ref, type and element. Without a schema, maps
  // have parts and lists do not.
  bool custom = false;
  bool whole = false;      // an object with its own metadata
  bool preserves = false;  // undeclared members are allowed
  const schema::Structural* schema = nullptr;

 private:
  static Shape of_custom(const schema::Structural* schema, bool preserves);
  json::Value default_of_key(std::string_view name, json::Arena& arena) const;
  std::optional<Member> custom_member(std::string_view name) const;
};

struct Shape::Member {
  Shape shape;
  bool declared = false;
};

// Returns the shapes of an object's members in sequence; faster than Shape::member().
class MemberShapes {
 public:
  explicit MemberShapes(const Shape& shape) : shape_(shape) {
    if (shape.kind == Shape::Kind::kStruct) fields_.emplace(*shape.type);
  }
  std::optional<Shape::Member> next(std::string_view name);

 private:
  const Shape& shape_;
  std::optional<schema::FieldCursor> fields_;
};

}  // namespace tabernetes::patch
