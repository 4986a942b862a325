// StorageVersionMigration of storagemigration.k8s.io, which is printed but not served as a
// resource. Source: upstream 1.36 printers/internalversion/printers.go.
#include <string>

#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

std::string_view migration_status(const Value& object) {
  std::string_view status = "Unknown";
  for (const Value& condition : items_at(object, {"status", "conditions"})) {
    const std::string_view type = condition.string_at("type");
    if (condition.string_at("status") != "True") continue;
    if (type == "Running" || type == "Succeeded" || type == "Failed") status = type;
  }
  return status;
}

void print_storage_version_migration(const Value& object, Row& row) {
  row.name(object);
  std::string resource(text_at(object, {"spec", "resource", "resource"}));
  const std::string_view group = text_at(object, {"spec", "resource", "group"});
  if (!group.empty()) resource.append(".").append(group);
  row.text(resource);
  row.text(migration_status(object));
}

}  // namespace

extern const Kind kStorageVersionMigrationKind{.group = "storagemigration.k8s.io",
                                               .kind = "StorageVersionMigration",
                                               .print = &print_storage_version_migration};

}  // namespace tabernetes::registry::kinds
