// Status, which is printed but not served as a resource. Source: upstream 1.36
// printers/internalversion/printers.go.
#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

void print_status(const Value& object, Row& row) {
  row.text(text_at(object, {"status"}));
  row.text(text_at(object, {"reason"}));
  row.text(text_at(object, {"message"}));
}

}  // namespace

extern const Kind kStatusKind{.group = "", .kind = "Status", .print = &print_status};

}  // namespace tabernetes::registry::kinds
