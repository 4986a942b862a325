// Cells of ServiceAccount, LeaseCandidate and Status. Source: upstream 1.36
// printers/internalversion/printers.go.
#include <string>

#include "json/access.h"
#include "kinds/printers.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/meta/conditions.h"

namespace tabernetes::registry {

using json::Value;

void print_name_and_age(const Value& object, Row& row) {
  row.name(object);
  row.age(object);
}

void print_service_account(const Value& object, Row& row) { print_name_and_age(object, row); }

void print_lease_candidate(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"spec", "leaseName"}));
  row.text(text_at(object, {"spec", "binaryVersion"}));
  row.text(text_at(object, {"spec", "emulationVersion"}));
  row.age(object);
}

void print_status(const Value& object, Row& row) {
  row.text(text_at(object, {"status"}));
  row.text(text_at(object, {"reason"}));
  row.text(text_at(object, {"message"}));
}

}  // namespace tabernetes::registry
