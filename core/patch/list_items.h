// The items of a list that can be told from others, by what tells them.
#pragma once

#include <cstddef>
#include <vector>

#include "json/value.h"
#include "patch/path_element.h"
#include "patch/shape.h"

namespace tabernetes::patch {

struct Item {
  PathElement element;
  const json::Value* value;
};
using Items = std::vector<Item>;

// In canonical order, those with the same element in that of the list. No list has none.
Items items_of(const Shape& shape, const json::Value* list);

// Those with the same element.
struct Run {
  Items::const_iterator first, last;

  std::ptrdiff_t size() const { return last - first; }
  const json::Value* only() const { return size() == 1 ? first->value : nullptr; }
  bool operator==(const Run& other) const;
};

// Those from `from` on; none if it is another.
Run run_of(const PathElement& element, Items::const_iterator from, Items::const_iterator end);

}  // namespace tabernetes::patch
