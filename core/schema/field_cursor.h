// Finds fields of a type by name, trying first those after the last one found: bodies mostly keep
// the order of the type.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/text/same_text.h"
#include "schema/schema.h"

namespace tabernetes::schema {

class FieldCursor {
 public:
  explicit FieldCursor(const Type& type) : type_(type) {}

  // Returns the index in json_fields(), or -1.
  int find(std::string_view name) {
    const auto& fields = type_.flattened;
    for (std::size_t i = next_; i < fields.size(); ++i) {
      if (same_text(fields[i]->name, name)) return found(i);
    }
    for (std::size_t i = 0; i < next_; ++i) {
      if (same_text(fields[i]->name, name)) return found(i);
    }
    return -1;
  }

 private:
  int found(std::size_t position) {
    next_ = position + 1;
    return static_cast<int>(position);
  }

  const Type& type_;
  std::size_t next_ = 0;
};

}  // namespace tabernetes::schema
