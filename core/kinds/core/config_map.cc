// ConfigMap.
#include "json/access.h"
#include "kinds/core/config_data.h"
#include "kinds/row/kind.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

void print_config_map(const Value& object, Row& row) {
  row.name(object);
  row.number(std::int64_t{members_at(object, {"data"}).size()} +
             members_at(object, {"binaryData"}).size());
  row.age(object);
}

}  // namespace

extern const Kind kConfigMapKind{.group = "",
                                 .kind = "ConfigMap",
                                 .strategy = {.meta_passes = {"CF", "UFCF", "UF"},
                                              .validate = &validate_config_map,
                                              .validate_update = &validate_config_map_update},
                                 .print = &print_config_map};

}  // namespace tabernetes::registry::kinds
