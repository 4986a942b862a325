// Scale of autoscaling, which is printed but not served as a resource. Source: upstream 1.36
// printers/internalversion/printers.go.
#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

void print_scale(const Value& object, Row& row) {
  row.name(object);
  row.number(number_at(object, {"spec", "replicas"}));
  row.number(number_at(object, {"status", "replicas"}));
  row.age(object);
}

}  // namespace

extern const Kind kScaleKind{.group = "autoscaling", .kind = "Scale", .print = &print_scale};

}  // namespace tabernetes::registry::kinds
