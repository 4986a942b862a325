// DeviceTaintRule of resource.k8s.io, which is printed but not served as a resource. Source:
// upstream 1.36 printers/internalversion/printers.go.
#include <string>

#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

void print_device_taint_rule(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"spec", "taint", "key"}));
  row.text(text_at(object, {"spec", "taint", "value"}));
  row.text(text_at(object, {"spec", "taint", "effect"}));
  const std::string_view added = text_at(object, {"spec", "taint", "timeAdded"});
  row.text(added.empty() ? std::string() : row.age_of(added));
  row.age(object);
}

}  // namespace

extern const Kind kDeviceTaintRuleKind{
    .group = "resource.k8s.io", .kind = "DeviceTaintRule", .print = &print_device_taint_rule};

}  // namespace tabernetes::registry::kinds
