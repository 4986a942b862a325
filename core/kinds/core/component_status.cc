// ComponentStatus.
#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

void print_component_status(const Value& object, Row& row) {
  const Value* healthy = nullptr;
  for (const Value& condition : items_at(object, {"conditions"})) {
    if (healthy == nullptr && condition.string_at("type") == "Healthy") healthy = &condition;
  }
  row.name(object);
  if (healthy == nullptr) {
    row.text("Unknown");
    row.text("");
    row.text("");
    return;
  }
  row.text(healthy->string_at("status") == "True" ? "Healthy" : "Unhealthy");
  row.text(healthy->string_at("message"));
  row.text(healthy->string_at("error"));
}

}  // namespace

extern const Kind kComponentStatusKind{
    .group = "",
    .kind = "ComponentStatus",
    .strategy = {.meta_passes = {"CF", "UF", "UF"},
                 .deprecation = "v1 ComponentStatus is deprecated in v1.19+"},
    .print = &print_component_status};

}  // namespace tabernetes::registry::kinds
