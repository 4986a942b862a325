// Lists in objects.
#pragma once

#include <string>
#include <string_view>

#include "kinds/row/rules.h"

namespace tabernetes::registry::kinds {

// Returns the list as errors show it; "null" if it is missing.
inline std::string printed_list(const Field& list) {
  return list.present() ? list.printed() : "null";
}

// Returns true if the list contains a text.
inline bool has_item(const Field& list, std::string_view wanted) {
  if (list.empty()) return false;
  for (const json::Value& item : list.value()->items()) {
    if (item.as_string() == wanted) return true;
  }
  return false;
}

}  // namespace tabernetes::registry::kinds
