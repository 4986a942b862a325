// Which part of an old value a part of a new one takes the place of: members by their name, items
// of lists of type map by their keys, other items never. Source: upstream 1.36 apiserver
// pkg/cel/common/{equality,maplist}.go.
#pragma once

#include <map>
#include <string>

#include "json/value.h"
#include "schema/structural.h"

namespace tabernetes::registry::custom {

// The items of an old list. Keys are looked up in constant time.
class KeyedItems {
 public:
  // `old` may be null, or no list; `schema` is the list's.
  KeyedItems(const json::Value* old, const schema::Structural& schema);

  // The item with the keys of `item`; null if there is none.
  const json::Value* find(const json::Value& item) const;

 private:
  const schema::Structural* schema_;
  std::map<std::string, const json::Value*> items_;
};

// Whether a value is equal to the one that it takes the place of, as far as parts correlate: an
// object with members that the schema does not know never is, the order of keyed items does not
// matter.
bool correlates_equal(const json::Value& value, const json::Value& old,
                      const schema::Structural& schema);

}  // namespace tabernetes::registry::custom
