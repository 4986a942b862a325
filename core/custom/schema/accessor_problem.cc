#include "custom/schema/accessor_problem.h"

#include "json/go_format.h"
#include "json/type_name.h"

namespace tabernetes::registry::custom {

std::string accessor_error(std::string_view path, const json::Value& value,
                           std::string_view expected) {
  return std::string(path) + " accessor error: " + json::go_format(value) + " is of the type " +
         std::string(json::go_dynamic_type(value)) + ", expected " + std::string(expected);
}

}  // namespace tabernetes::registry::custom
