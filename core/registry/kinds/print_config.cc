// Cells of the small kinds around an application.
// Upstream 1.36: printers/internalversion/printers.go.
#include <string>

#include "json/access.h"
#include "registry/conditions.h"
#include "registry/kinds/printers.h"
#include "registry/table/cell_text.h"
#include "registry/table/row.h"

namespace tabernetes::registry {

using json::Value;

void print_name_and_age(const Value& object, Row& row) {
  row.name(object);
  row.age(object);
}

void print_namespace(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"status", "phase"}));
  row.age(object);
}

void print_config_map(const Value& object, Row& row) {
  row.name(object);
  row.number(std::int64_t{members_at(object, {"data"}).size()} +
             members_at(object, {"binaryData"}).size());
  row.age(object);
}

void print_secret(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"type"}));
  row.number(members_at(object, {"data"}).size());
  row.age(object);
}

// The column of secrets is long gone.
void print_service_account(const Value& object, Row& row) { print_name_and_age(object, row); }

void print_lease(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"spec", "holderIdentity"}));
  row.age(object);
}

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

void print_api_service(const Value& object, Row& row) {
  row.name(object);
  std::string service = "Local";
  if (has(object, {"spec", "service"})) {
    service = std::string(text_at(object, {"spec", "service", "namespace"})) + "/" +
              std::string(text_at(object, {"spec", "service", "name"}));
  }
  row.text(service);
  std::string available = "Unknown";
  if (const Value* condition = find_condition(object, "Available")) {
    available = std::string(condition->string_at("status"));
    const std::string_view reason = condition->string_at("reason");
    if (available != "True" && !reason.empty()) available.append(" (").append(reason).append(")");
  }
  row.text(available);
  row.age(object);
}

}  // namespace tabernetes::registry
