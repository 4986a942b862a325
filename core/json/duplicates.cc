#include "json/duplicates.h"

#include <algorithm>

namespace tabernetes::json {
namespace {

// A container still to be looked through, and its path as error texts show it.
struct Pending {
  Value container;
  std::string path;
};

std::string member_path(const std::string& parent, std::string_view key) {
  return parent.empty() ? std::string(key) : parent + "." + std::string(key);
}

bool has_duplicates(const Value& object) {
  // Small objects are compared pairwise; large ones by sorted keys.
  std::vector<std::string_view> keys;
  keys.reserve(object.size());
  for (const Member& member : object.members()) keys.push_back(member.key);
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
}

void make_unique(const Pending& at, Arena& arena, std::vector<std::string>& found) {
  Value object = at.container;
  std::vector<Member> members(object.members().begin(), object.members().end());
  object.clear_members();
  for (const Member& member : members) {
    if (object.find(member.key) != nullptr) {
      std::string text = "duplicate field \"" + member_path(at.path, member.key) + "\"";
      if (std::find(found.begin(), found.end(), text) == found.end()) {
        found.push_back(std::move(text));
      }
    }
    object.set(arena, member.key, member.value);
  }
}

}  // namespace

std::vector<std::string> remove_duplicates(Value& tree, Arena& arena) {
  std::vector<std::string> found;
  std::vector<Pending> stack{{tree, ""}};
  while (!stack.empty()) {
    const Pending at = std::move(stack.back());
    stack.pop_back();
    std::vector<Pending> children;
    if (at.container.is_object()) {
      if (has_duplicates(at.container)) make_unique(at, arena, found);
      for (const Member& member : at.container.members()) {
        if (member.value.size() > 0) {
          children.push_back({member.value, member_path(at.path, member.key)});
        }
      }
    } else if (at.container.is_array()) {
      std::size_t i = 0;
      for (const Value& item : at.container.items()) {
        if (item.size() > 0) {
          children.push_back({item, at.path + "[" + std::to_string(i) + "]"});
        }
        ++i;
      }
    }
    stack.insert(stack.end(), children.rbegin(), children.rend());
  }
  return found;
}

}  // namespace tabernetes::json
