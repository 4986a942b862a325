// One walk over the object. Members of a struct are visited in the order of their names, which the
// schema knows, so that no sorting is needed.
#include "patch/first_fields.h"

#include <array>
#include <cassert>

#include "base/algorithm/short_copy.h"
#include "base/text/same_text.h"
#include "json/equality.h"
#include "patch/list_items.h"
#include "patch/typed.h"

namespace tabernetes::patch {
namespace {

using json::Arena;
using json::Member;
using json::Value;

// Returns the child of a small set whose children are all fields.
const FieldSet::Child* field_of(const FieldSet& set, std::string_view name) {
  for (const FieldSet::Child& child : set.children()) {
    if (same_text(child.element.name(), name)) return &child;
  }
  return nullptr;
}

class FirstFieldsWalk {
 public:
  FirstFieldsWalk(const ResetFields& reset, Arena& arena)
      : reset_(reset), leaf_(Value::object(arena)), arena_(arena) {}

  // Returns the fields below a value that are missing from `zero` (null if absent). `itself`: the
  // value itself is owned, too.
  Value parts(const Shape& shape, const Value* zero, const Value& value, const FieldSet* unowned,
              bool itself, int depth) {
    Value fields = Value::object(arena_);
    fields.reserve(arena_, value.size() + 1);
    if (itself) fields.append(arena_, ".", leaf_);
    if (shape.is_list()) {
      assert(zero == nullptr);
      items(fields, shape, value, depth);
    } else if (shape.kind == Shape::Kind::kStruct) {
      struct_members(fields, shape, zero, value, unowned, depth);
    } else {
      for (const Member& member : value.members()) {
        if (const auto part = shape.member(member.key)) {
          put_member(fields, part->shape, member, zero, unowned, depth);
        }
      }
      fields.sort_members();
    }
    return itself && fields.size() == 1 ? leaf_ : fields;
  }

 private:
  void struct_members(Value& fields, const Shape& shape, const Value* zero, const Value& value,
                      const FieldSet* unowned, int depth) {
    const schema::Type& type = *shape.type;
    std::array<const Member*, schema::kMostFields> members{};
    schema::FieldCursor cursor(type);
    for (const Member& member : value.members()) {
      const int position = cursor.find(member.key);
      if (position >= 0) members[static_cast<std::size_t>(position)] = &member;
    }
    for (const std::uint16_t position : type.by_name) {
      const Member* member = members[position];
      if (member == nullptr) continue;
      const schema::Field& field = *type.flattened[position];
      put_member(fields, Shape::of(field.type, &field), *member, zero, unowned, depth);
    }
  }

  void put_member(Value& fields, const Shape& shape, const Member& member, const Value* zeros,
                  const FieldSet* unowned, int depth) {
    if (depth == 0 && reset_.has(member.key)) return;
    const FieldSet::Child* spared = unowned == nullptr ? nullptr : field_of(*unowned, member.key);
    const Value* zero = zeros == nullptr ? nullptr : zeros->find(member.key);
    const bool opens = has_parts(shape, member.value, depth + 1);
    const bool zero_opens = zero != nullptr && has_parts(shape, *zero, depth + 1);
    bool owned =
        zero == nullptr || (!opens && !zero_opens && !json::deep_equal(*zero, member.value));
    if (spared != nullptr && spared->member) owned = false;
    if (opens) {
      const Value below = parts(shape, zero_opens ? zero : nullptr, member.value,
                                spared == nullptr ? nullptr : &spared->below, owned, depth + 1);
      if (owned || below.size() > 0) put(fields, member.key, below);
    } else if (owned) {
      put(fields, member.key, leaf_);
    }
  }

  void put(Value& fields, std::string_view name, Value below) {
    char* const text = arena_.allocate_array<char>(name.size() + 2);
    text[0] = 'f';
    text[1] = ':';
    short_copy(text + 2, name.data(), name.size());
    fields.append(arena_, {text, name.size() + 2}, below);
  }

  void items(Value& fields, const Shape& shape, const Value& list, int depth) {
    const Shape item_shape = shape.item();
    const Items items = items_of(shape, &list);
    for (auto item = items.begin(); item != items.end();) {
      const Run run = run_of(item->element, item, items.end());
      const Value* only = run.only();
      const bool opens = only != nullptr && has_parts(item_shape, *only, depth + 1);
      fields.append(arena_, arena_.copy(item->element.to_fields_v1()),
                    opens ? parts(item_shape, nullptr, *only, nullptr, true, depth + 1) : leaf_);
      item = run.last;
    }
  }

  const ResetFields& reset_;
  const Value leaf_;  // an empty object, shared by all leaves
  Arena& arena_;
};

}  // namespace

Value first_fields(const Shape& shape, const Value& zero, const Value& object,
                   const ResetFields& reset, const FieldSet& unowned, Arena& arena) {
  if (!has_parts(shape, object, 0)) return Value::object(arena);
  return FirstFieldsWalk(reset, arena).parts(shape, &zero, object, &unowned, false, 0);
}

}  // namespace tabernetes::patch
