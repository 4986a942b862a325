// How server-side apply sees a position of an object: as one leaf, or as something with parts that
// may have owners of their own. Source: spec/patch-apply.md 6.3.
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
    kSet,        // a list of scalars, each owned for itself
    kKeyedList,  // a list whose items are known by `keys`
  };

  static Shape of_type(const schema::Type& type);
  // Of a field; `field` null: of an item of a list or a value of a map.
  static Shape of(const schema::TypeRef& ref, const schema::Field* field);
  // Of a custom object.
  static Shape of_custom_object(const schema::Structural& schema);

  bool is_map() const { return kind == Kind::kStruct || kind == Kind::kMap; }
  bool is_list() const { return kind == Kind::kSet || kind == Kind::kKeyedList; }

  // The shape of a member. Nothing: a struct that does not have it. `declared` tells fields from
  // free keys.
  struct Member;
  std::optional<Member> member(std::string_view name) const;
  // The shape of a list's items.
  Shape item() const;
  // Which item of a list this is. Nothing: none, see item_problem().
  std::optional<PathElement> item_element(const json::Value& item) const;
  // Why an item cannot be told from others.
  std::string item_problem(const json::Value& item) const;

  Kind kind = Kind::kLeaf;
  const schema::TypeRef* ref = nullptr;      // of the position; null at the root
  const schema::Type* type = nullptr;        // kStruct
  const schema::TypeRef* element = nullptr;  // kMap, kSet, kKeyedList
  std::span<const std::string_view> keys;    // kKeyedList

  // Of what is in a custom object, instead of ref, type and element. Without a schema the values
  // tell: maps have parts, lists do not.
  bool custom = false;
  bool whole = false;      // an object with its own metadata
  bool preserves = false;  // members that are not declared may be there
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

// The shapes of an object's members, one after the other: quicker than Shape::member().
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
