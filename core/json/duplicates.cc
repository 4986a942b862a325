// Both walks use an explicit stack: a text may nest ten thousand levels deep. Tested by
// tests/core/json/duplicates_test.cc.
#include "json/duplicates.h"

#include <algorithm>

#include "base/algorithm/sort.h"

namespace tabernetes::json {
namespace {

// Returns for each member 1 if an earlier one has its key, otherwise 0; empty if no key repeats.
std::string repeated_members(const Value& object) {
  const auto members = object.members();
  std::vector<std::uint32_t> order(members.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  sort_stable(order, [&members](std::uint32_t a, std::uint32_t b) {
    return members[a].key < members[b].key;
  });
  std::string repeated;
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (members[order[i]].key != members[order[i - 1]].key) continue;
    repeated.resize(members.size());
    repeated[order[i]] = 1;
  }
  return repeated;
}

// A container being walked; `path_size` is the length of the path to it.
struct OpenObject {
  Value container;
  std::string repeated;
  std::size_t path_size;
  std::uint32_t next = 0;
};

class Finder {
 public:
  Finder(std::string path, std::size_t most) : path_(std::move(path)), most_(most) {}

  std::vector<std::string> find(const Value& tree) {
    open(tree);
    while (!open_.empty() && found_.size() < most_) {
      OpenObject& top = open_.back();
      path_.resize(top.path_size);
      if (top.next == top.container.size()) {
        open_.pop_back();
      } else {
        enter(top, top.next++);
      }
    }
    return std::move(found_);
  }

 private:
  void open(const Value& value) {
    if (value.size() == 0) return;
    std::string repeated;
    if (value.is_object()) repeated = repeated_members(value);
    open_.push_back({value, std::move(repeated), path_.size()});
  }

  void enter(const OpenObject& top, std::uint32_t i) {
    if (top.container.is_array()) {
      path_ += '[' + std::to_string(i) + ']';
      open(top.container.items()[i]);
      return;
    }
    const Member& member = top.container.members()[i];
    if (!path_.empty()) path_ += '.';
    path_ += member.key;
    if (!top.repeated.empty() && top.repeated[i] != 0 &&
        std::find(found_.begin(), found_.end(), path_) == found_.end()) {
      found_.push_back(path_);
    }
    open(member.value);
  }

  std::string path_;
  std::size_t most_;
  std::vector<OpenObject> open_;
  std::vector<std::string> found_;
};

void make_unique(Value object, Arena& arena) {
  const std::vector<Member> members(object.members().begin(), object.members().end());
  object.clear_members();
  for (const Member& member : members) object.set(arena, member.key, member.value);
}

}  // namespace

std::vector<std::string> duplicate_paths(const Value& tree, std::string path, std::size_t most) {
  return Finder(std::move(path), most).find(tree);
}

void remove_duplicates(Value& tree, Arena& arena) {
  std::vector<Value> open{tree};
  while (!open.empty()) {
    const Value container = open.back();
    open.pop_back();
    if (container.is_object()) {
      if (!repeated_members(container).empty()) make_unique(container, arena);
      for (const Member& member : container.members()) open.push_back(member.value);
    } else if (container.is_array()) {
      for (const Value& item : container.items()) open.push_back(item);
    }
  }
}

}  // namespace tabernetes::json
