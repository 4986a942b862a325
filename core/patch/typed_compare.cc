#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "json/equality.h"
#include "patch/typed.h"

namespace tabernetes::patch {
namespace {

using json::Value;

class Comparer {
 public:
  Comparison run(const Shape& shape, const Value& left, const Value& right) {
    compare(shape, &left, &right);
    return std::move(result_);
  }

 private:
  // The items of both lists that one path element leads to.
  struct Items {
    std::vector<const Value*> left, right;
  };

  // Null: absent, which is not the value null.
  void compare(const Shape& shape, const Value* left, const Value* right) {
    if (compare_parts(shape, left, right)) {
      if (left == nullptr) result_.added.insert(path_);
      if (right == nullptr) result_.removed.insert(path_);
    } else if (left == nullptr) {
      result_.added.insert(path_);
    } else if (right == nullptr) {
      result_.removed.insert(path_);
    } else if (!json::deep_equal(*left, *right)) {
      result_.modified.insert(path_);
    }
  }

  // False: it is a leaf, as are two containers without anything in them.
  bool compare_parts(const Shape& shape, const Value* left, const Value* right) {
    if (static_cast<int>(path_.size()) >= FieldSet::kMaxDepth) return false;
    const auto has_parts = [&](const Value* value) {
      return value != nullptr && value->size() > 0 &&
             (shape.is_map() ? value->is_object() : value->is_array());
    };
    if (!shape.is_map() && !shape.is_list()) return false;
    if (!has_parts(left) && !has_parts(right)) return false;
    const Value* left_parts = has_parts(left) ? left : nullptr;
    const Value* right_parts = has_parts(right) ? right : nullptr;
    if (shape.is_map()) {
      compare_members(shape, left_parts, right_parts);
    } else {
      compare_items(shape, left_parts, right_parts);
    }
    return true;
  }

  void compare_members(const Shape& shape, const Value* left, const Value* right) {
    if (left != nullptr) {
      for (const json::Member& member : left->members()) {
        const Value* other = right == nullptr ? nullptr : right->find(member.key);
        compare_member(shape, member.key, &member.value, other);
      }
    }
    if (right == nullptr) return;
    for (const json::Member& member : right->members()) {
      if (left == nullptr || left->find(member.key) == nullptr) {
        compare_member(shape, member.key, nullptr, &member.value);
      }
    }
  }

  void compare_member(const Shape& shape, std::string_view key, const Value* left,
                      const Value* right) {
    const auto member = shape.member(key);
    if (!member) return;
    compare_at(PathElement::field(key), member->shape, left, right);
  }

  void compare_at(const PathElement& element, const Shape& shape, const Value* left,
                  const Value* right) {
    path_.push_back(element);
    compare(shape, left, right);
    path_.pop_back();
  }

  void compare_items(const Shape& shape, const Value* left, const Value* right) {
    std::map<PathElement, Items> items;
    for (const Value* list : {left, right}) {
      if (list == nullptr) continue;
      for (const Value& item : list->items()) {
        const auto element = shape.item_element(item);
        if (!element) continue;
        Items& same = items[*element];
        (list == left ? same.left : same.right).push_back(&item);
      }
    }
    const Shape item_shape = shape.item();
    for (const auto& [element, same] : items) compare_same(element, item_shape, same);
  }

  // Items that stand more than once on a side are owned as one.
  void compare_same(const PathElement& element, const Shape& shape, const Items& same) {
    const std::size_t left = same.left.size(), right = same.right.size();
    const auto only = [](const std::vector<const Value*>& items) {
      return items.size() == 1 ? items.front() : nullptr;
    };
    if (left <= 1 && right <= 1) {
      compare_at(element, shape, only(same.left), only(same.right));
      return;
    }
    path_.push_back(element);
    if (left > 1 && right > 1) {
      if (!equal(same.left, same.right)) result_.modified.insert(path_);
    } else if (left > 1) {
      result_.removed.insert(path_);
    } else {
      result_.added.insert(path_);
    }
    path_.pop_back();
    if (left > 1 && right == 1) compare_at(element, shape, nullptr, only(same.right));
    if (right > 1 && left == 1) compare_at(element, shape, only(same.left), nullptr);
  }

  static bool equal(const std::vector<const Value*>& a, const std::vector<const Value*>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Value* x, const Value* y) { return json::deep_equal(*x, *y); });
  }

  Path path_;
  Comparison result_;
};

}  // namespace

Comparison compare_typed(const Shape& shape, const Value& left, const Value& right) {
  return Comparer().run(shape, left, right);
}

}  // namespace tabernetes::patch
