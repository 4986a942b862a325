#include "patch/json_diff.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "json/equality.h"

namespace tabernetes::patch {
namespace {

using json::Value;

// Returns the token of a JSON pointer (RFC 6901, section 3).
std::string escaped(std::string_view name) {
  std::string token;
  for (const char c : name) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

class DiffWalk {
 public:
  explicit DiffWalk(json::Arena& arena) : arena_(arena), patch_(Value::array(arena)) {}

  void compare(const Value& before, const Value& after, const std::string& path) {
    if (before.is_object() && after.is_object()) return compare_objects(before, after, path);
    if (before.is_array() && after.is_array()) return compare_lists(before, after, path);
    if (!json::deep_equal(before, after)) add("replace", path, &after);
  }

  Value patch() const { return patch_; }

 private:
  void compare_objects(const Value& before, const Value& after, const std::string& path) {
    for (const auto& [name, value] : before.members()) {
      if (after.find(name) == nullptr) add("remove", path + "/" + escaped(name), nullptr);
    }
    for (const auto& [name, value] : after.members()) {
      const std::string place = path + "/" + escaped(name);
      if (const Value* old = before.find(name)) {
        compare(*old, value, place);
      } else {
        add("add", place, &value);
      }
    }
  }

  void compare_lists(const Value& before, const Value& after, const std::string& path) {
    const std::size_t held = before.items().size();
    const std::size_t wanted = after.items().size();
    const auto place = [&](std::size_t i) { return path + "/" + std::to_string(i); };
    for (std::size_t i = 0; i < std::min(held, wanted); ++i) {
      compare(before.items()[i], after.items()[i], place(i));
    }
    for (std::size_t i = held; i < wanted; ++i) add("add", place(i), &after.items()[i]);
    for (std::size_t i = held; i > wanted; --i) add("remove", place(i - 1), nullptr);
  }

  void add(std::string_view operation, const std::string& path, const Value* value) {
    Value step = Value::object(arena_);
    step.append(arena_, "op", Value::string(operation));
    step.append(arena_, "path", Value::string(arena_.copy(path)));
    if (value != nullptr) step.append(arena_, "value", *value);
    patch_.push_back(arena_, step);
  }

  json::Arena& arena_;
  Value patch_;
};

}  // namespace

Value json_diff(const Value& before, const Value& after, json::Arena& arena) {
  DiffWalk walk(arena);
  walk.compare(before, after, {});
  return walk.patch();
}

}  // namespace tabernetes::patch
