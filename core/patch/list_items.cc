#include "patch/list_items.h"

#include <algorithm>
#include <utility>

#include "base/algorithm/sort.h"
#include "json/equality.h"

namespace tabernetes::patch {

using json::Value;

Items items_of(const Shape& shape, const Value* list) {
  Items items;
  if (list == nullptr) return items;
  items.reserve(list->size());
  for (const Value& item : list->items()) {
    if (auto element = shape.item_element(item)) items.push_back({std::move(*element), &item});
  }
  if (items.size() > 1) {
    sort_stable(items, [](const Item& a, const Item& b) { return a.element < b.element; });
  }
  return items;
}

bool Run::operator==(const Run& other) const {
  return std::equal(first, last, other.first, other.last, [](const Item& a, const Item& b) {
    return json::deep_equal(*a.value, *b.value);
  });
}

Run run_of(const PathElement& element, Items::const_iterator from, Items::const_iterator end) {
  Run run{from, from};
  while (run.last != end && run.last->element == element) ++run.last;
  return run;
}

}  // namespace tabernetes::patch
