#include "patch/new_value.h"

#include <vector>

#include "patch/directives.h"

namespace tabernetes::patch {
namespace {

using json::Arena;
using json::Member;
using json::Value;

// Returns whether the value is a map with a patch directive.
bool is_directive(const Value& value) {
  if (!value.is_object()) return false;
  const Value* directive = value.find(kPatchDirective);
  return directive != nullptr && !directive->is_null();
}

class Cleaner {
 public:
  explicit Cleaner(Arena& arena) : arena_(arena) {}

  std::optional<Value> clean(const Value& value) {
    if (is_directive(value)) return std::nullopt;
    Value result = value;
    visit(result);
    while (!open_.empty()) {
      Value container = *open_.back();
      open_.pop_back();
      if (container.is_array()) {
        for (Value& item : container.items()) visit(item);
      } else {
        for (Member& member : container.members()) visit(member.value);
      }
    }
    return result;
  }

 private:
  // Replaces a container by a copy without nulls and directives.
  void visit(Value& place) {
    if (!place.is_array() && !place.is_object()) return;
    const Value all = place;
    place = all.is_array() ? Value::array(arena_) : Value::object(arena_);
    place.reserve(arena_, all.size());
    if (all.is_array()) {
      for (const Value& item : all.items()) {
        if (!is_directive(item)) place.push_back(arena_, item);
      }
    } else {
      for (const Member& member : all.members()) {
        if (member.value.is_null() || is_directive(member.value)) continue;
        place.append(arena_, member.key, member.value);
      }
      place.sort_members();
    }
    open_.push_back(&place);
  }

  Arena& arena_;
  std::vector<Value*> open_;
};

}  // namespace

std::optional<Value> clean_new_value(const Value& value, Arena& arena) {
  return Cleaner(arena).clean(value);
}

}  // namespace tabernetes::patch
