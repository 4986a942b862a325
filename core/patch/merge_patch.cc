// Unlike the RFC, removes null members of objects inside arrays, too, except where the array
// replaces an object (evanphx/json-patch v4.13, merge.go: the order of its checks). Tested by
// tests/core/patch/merge_patch_test.cc.
#include "patch/merge_patch.h"

#include <vector>

#include "json/type_name.h"

namespace tabernetes::patch {
namespace {

using json::Arena;
using json::Member;
using json::Value;

// Copies a container so that its members and items can be replaced without changing the original.
Value shallow_copy(const Value& value, Arena& arena) {
  Value copy = value.is_array() ? Value::array(arena) : Value::object(arena);
  copy.reserve(arena, value.size());
  if (value.is_array()) {
    for (const Value& item : value.items()) copy.push_back(arena, item);
  } else {
    // Uses set(): the last of duplicate keys wins.
    for (const Member& member : value.members()) copy.set(arena, member.key, member.value);
  }
  return copy;
}

// Returns `value` without null members at any depth.
Value without_nulls(const Value& value, Arena& arena) {
  std::vector<Value*> open;
  const auto copy_container = [&arena, &open](Value& place) {
    if (!place.is_array() && !place.is_object()) return;
    place = shallow_copy(place, arena);
    open.push_back(&place);
  };
  Value result = value;
  copy_container(result);
  while (!open.empty()) {
    Value container = *open.back();
    open.pop_back();
    if (container.is_array()) {
      for (Value& item : container.items()) copy_container(item);
      continue;
    }
    const Value all = container;
    std::vector<Member> kept;
    for (const Member& member : all.members()) {
      if (!member.value.is_null()) kept.push_back(member);
    }
    if (kept.size() < container.size()) {
      container.clear_members();
      for (const Member& member : kept) container.append(arena, member.key, member.value);
    }
    container.sort_members();
    for (Member& member : container.members()) copy_container(member.value);
  }
  return result;
}

struct Merge {
  Value target;  // a copy that we own
  Value patch;
};

}  // namespace

Result<Value> apply_merge_patch(const Value& target, const Value& patch, Arena& arena) {
  if (patch.is_null()) return errors::bad_request("Invalid JSON Patch");
  if (!patch.is_object()) {
    return errors::bad_request("error decoding patch: json: cannot unmarshal " +
                               std::string(json::go_type_name(patch)) +
                               " into Go value of type map[string]interface {}");
  }

  const Value result = target.is_object() ? shallow_copy(target, arena) : Value::object(arena);
  std::vector<Merge> open = {{result, patch}};
  while (!open.empty()) {
    Merge merge = open.back();
    open.pop_back();
    // The last of duplicate keys in the patch wins.
    for (const Member& member : merge.patch.members()) {
      if (&member.value != merge.patch.find(member.key)) continue;
      Value* current = merge.target.find(member.key);
      if (member.value.is_null()) {
        merge.target.erase(member.key);
      } else if (current == nullptr || current->is_null()) {
        merge.target.set(arena, member.key, without_nulls(member.value, arena));
      } else if (!current->is_object()) {
        *current = without_nulls(member.value, arena);
      } else if (!member.value.is_object()) {
        *current = member.value;
      } else {
        *current = shallow_copy(*current, arena);
        open.push_back({*current, member.value});
      }
    }
    merge.target.sort_members();
  }
  return result;
}

}  // namespace tabernetes::patch
