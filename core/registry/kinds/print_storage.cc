// Cells of storage.k8s.io and of the server's own storage kinds.
// Upstream 1.36: printers/internalversion/printers.go.
#include <string>
#include <vector>

#include "base/parts.h"
#include "json/access.h"
#include "registry/kinds/printers.h"
#include "registry/table/cell_text.h"
#include "registry/table/row.h"

namespace tabernetes::registry {
namespace {

using json::Value;

bool is_default_class(const Value& storage_class) {
  for (const std::string_view annotation : {"storageclass.kubernetes.io/is-default-class",
                                            "storageclass.beta.kubernetes.io/is-default-class"}) {
    if (text_at(storage_class, {"metadata", "annotations", annotation}) == "true") return true;
  }
  return false;
}

std::string token_audiences(const Value& driver) {
  if (!has(driver, {"spec", "tokenRequests"})) return std::string(kUnset);
  std::vector<std::string> audiences;
  for (const Value& request : items_at(driver, {"spec", "tokenRequests"})) {
    audiences.emplace_back(request.string_at("audience"));
  }
  return join(audiences, ",");
}

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

void print_storage_class(const Value& object, Row& row) {
  std::string name(text_at(object, {"metadata", "name"}));
  if (is_default_class(object)) name += " (default)";
  row.text(name);
  row.text(text_at(object, {"provisioner"}));
  row.text(text_if_set(object, {"reclaimPolicy"}, "Delete"));
  row.text(text_if_set(object, {"volumeBindingMode"}, "Immediate"));
  row.boolean(bool_at(object, {"allowVolumeExpansion"}));
  row.age(object);
}

void print_volume_attributes_class(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"driverName"}));
  row.age(object);
}

void print_volume_attachment(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"spec", "attacher"}));
  row.text(text_at(object, {"spec", "source", "persistentVolumeName"}));
  row.text(text_at(object, {"spec", "nodeName"}));
  row.boolean(bool_at(object, {"status", "attached"}));
  row.age(object);
}

void print_csi_node(const Value& object, Row& row) {
  row.name(object);
  row.number(items_at(object, {"spec", "drivers"}).size());
  row.age(object);
}

void print_csi_driver(const Value& object, Row& row) {
  row.name(object);
  row.boolean(!has(object, {"spec", "attachRequired"}) ||
              bool_at(object, {"spec", "attachRequired"}));
  row.boolean(bool_at(object, {"spec", "podInfoOnMount"}));
  row.boolean(bool_at(object, {"spec", "storageCapacity"}));
  row.text(token_audiences(object));
  row.boolean(bool_at(object, {"spec", "requiresRepublish"}));
  const std::string modes = join_strings(items_at(object, {"spec", "volumeLifecycleModes"}), ",");
  row.text(modes.empty() ? std::string(kNone) : modes);
  row.age(object);
}

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
