// The items of an associative list, by path element.
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

// Returns the items in canonical order, those with equal elements in list order. A null `list` is
// empty.
Items items_of(const Shape& shape, const json::Value* list);

// The items with one path element.
struct Run {
  Items::const_iterator first, last;

  std::ptrdiff_t size() const { return last - first; }
  const json::Value* only() const { return size() == 1 ? first->value : nullptr; }
  bool operator==(const Run& other) const;
};

// Returns the items with `element` starting at `from`, possibly none.
Run run_of(const PathElement& element, Items::const_iterator from, Items::const_iterator end);

}  // namespace tabernetes::patch
