// Correlates the parts of an old and a new value: members by name, items of lists of type map by
// their keys, other items never. Source: upstream 1.36 apiserver
// pkg/cel/common/{equality,maplist}.go.
#pragma once

#include <map>
#include <string>

#include "json/value.h"
#include "schema/structural.h"

namespace tabernetes::registry::custom {

// An index of the items of an old list by their keys.
class KeyedItems {
 public:
  // `old` may be null or not a list; `schema` is the list's.
  KeyedItems(const json::Value* old, const schema::Structural& schema);

  // Returns the item with the keys of `item`, or null.
  const json::Value* find(const json::Value& item) const;

 private:
  const schema::Structural* schema_;
  std::map<std::string, const json::Value*> items_;
};

// Returns true if a value equals its old value, as far as parts correlate: objects with members
// that the schema does not know are never equal; the order of keyed items is ignored.
bool correlates_equal(const json::Value& value, const json::Value& old,
                      const schema::Structural& schema);

}  // namespace tabernetes::registry::custom
