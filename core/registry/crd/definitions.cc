#include "registry/crd/definitions.h"

#include <algorithm>
#include <utility>

#include "registry/crd/custom_kind.h"
#include "registry/object_record.h"

namespace tabernetes::registry::crd {
namespace {

using Kind = std::shared_ptr<const CustomKind>;

Kind kind_of(const ResourceTable& table, const store::Record& record, const CustomKind* before) {
  json::Arena arena;
  const ResourceType& type = *table.find("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  return CustomKind::make(read_object(type, record, arena), before);
}

}  // namespace

TablePtr with_definition(const TablePtr& table, std::string_view name,
                         const store::Record* record) {
  ResourceTable::CustomKinds kinds = table->custom();
  auto at = std::find_if(kinds.begin(), kinds.end(),
                         [&](const Kind& kind) { return kind->name() >= name; });
  const bool known = at != kinds.end() && (*at)->name() == name;
  Kind kind = record == nullptr ? nullptr : kind_of(*table, *record, known ? at->get() : nullptr);
  if (kind == nullptr && !known) return table;
  if (kind == nullptr) {
    kinds.erase(at);
  } else if (known) {
    *at = std::move(kind);
  } else {
    kinds.insert(at, std::move(kind));
  }
  return std::make_shared<const ResourceTable>(*table, std::move(kinds));
}

TablePtr with_definitions(const TablePtr& table, const store::Tree& state) {
  ResourceTable::CustomKinds kinds;
  state.scan(kDefinitionsPrefix, store::prefix_end(kDefinitionsPrefix),
             [&](std::string_view, const store::RecordPtr& record) {
               if (Kind kind = kind_of(*table, *record, nullptr)) kinds.push_back(std::move(kind));
               return true;
             });
  if (kinds.empty() && table->custom().empty()) return table;
  return std::make_shared<const ResourceTable>(*table, std::move(kinds));
}

}  // namespace tabernetes::registry::crd
