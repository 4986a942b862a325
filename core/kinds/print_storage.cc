// Cells of internal.apiserver.k8s.io and storagemigration.k8s.io. Source: upstream 1.36
// printers/internalversion/printers.go.
#include <string>
#include <vector>

#include "base/text/parts.h"
#include "json/access.h"
#include "kinds/printers.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry {
namespace {

using json::Value;

std::string storage_versions(const Value& object) {
  std::vector<std::string> texts;
  for (const Value& entry : items_at(object, {"status", "storageVersions"})) {
    texts.push_back(std::string(entry.string_at("apiServerID")) + "=" +
                    std::string(entry.string_at("encodingVersion")));
  }
  return first_or_unset(texts);
}

std::string_view migration_status(const Value& object) {
  std::string_view status = "Unknown";
  for (const Value& condition : items_at(object, {"status", "conditions"})) {
    const std::string_view type = condition.string_at("type");
    if (condition.string_at("status") != "True") continue;
    if (type == "Running" || type == "Succeeded" || type == "Failed") status = type;
  }
  return status;
}

}  // namespace

void print_storage_version(const Value& object, Row& row) {
  row.name(object);
  row.text(text_if_set(object, {"status", "commonEncodingVersion"}, kUnset));
  row.text(storage_versions(object));
  row.age(object);
}

void print_storage_version_migration(const Value& object, Row& row) {
  row.name(object);
  std::string resource(text_at(object, {"spec", "resource", "resource"}));
  const std::string_view group = text_at(object, {"spec", "resource", "group"});
  if (!group.empty()) resource.append(".").append(group);
  row.text(resource);
  row.text(migration_status(object));
}

}  // namespace tabernetes::registry
