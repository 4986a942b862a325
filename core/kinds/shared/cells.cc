#include "kinds/shared/cells.h"

#include "json/access.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

std::string scalar_or(const json::Value* value, std::string_view fallback) {
  return value == nullptr || value->is_null() ? std::string(fallback) : scalar_text(value);
}

void print_name_and_age(const json::Value& object, Row& row) {
  row.name(object);
  row.age(object);
}

}  // namespace tabernetes::registry::kinds
