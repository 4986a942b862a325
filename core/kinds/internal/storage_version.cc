// StorageVersion of internal.apiserver.k8s.io, which is printed but not served as a resource.
// Source: upstream 1.36 printers/internalversion/printers.go.
#include <string>
#include <vector>

#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {
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

void print_storage_version(const Value& object, Row& row) {
  row.name(object);
  row.text(text_if_set(object, {"status", "commonEncodingVersion"}, kUnset));
  row.text(storage_versions(object));
  row.age(object);
}

}  // namespace

extern const Kind kStorageVersionKind{.group = "internal.apiserver.k8s.io",
                                      .kind = "StorageVersion",
                                      .print = &print_storage_version};

}  // namespace tabernetes::registry::kinds
