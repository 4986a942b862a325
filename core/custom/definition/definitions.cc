#include "custom/definition/definitions.h"

#include <algorithm>
#include <utility>

#include "custom/objects/custom_kind.h"
#include "registry/objects/object_record.h"

namespace tabernetes::registry::custom {
namespace {

using Kind = std::shared_ptr<const DynamicKind>;
using TablePtr = Definitions::TablePtr;

constexpr std::string_view kPrefix = "apiextensions.k8s.io/customresourcedefinitions/";

Kind kind_of(const ResourceTable& table, const store::Record& record, const DynamicKind* before) {
  json::Arena arena;
  const ResourceType& type = *table.find("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  return CustomKind::make(read_object(type, record, arena),
                          before == nullptr ? nullptr : &custom_kind(*before));
}

TablePtr with_definition(const TablePtr& table, std::string_view name,
                         const store::Record* record) {
  ResourceTable::DynamicKinds kinds = table->defined();
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
  ResourceTable::DynamicKinds kinds;
  state.scan(kPrefix, store::prefix_end(kPrefix),
             [&](std::string_view, const store::RecordPtr& record) {
               if (Kind kind = kind_of(*table, *record, nullptr)) kinds.push_back(std::move(kind));
               return true;
             });
  if (kinds.empty() && table->defined().empty()) return table;
  return std::make_shared<const ResourceTable>(*table, std::move(kinds));
}

class CustomDefinitions final : public Definitions {
 public:
  std::string_view prefix() const override { return kPrefix; }
  TablePtr after_write(const TablePtr& table, const ResourceType& type, std::string_view name,
                       const store::Record* record) const override {
    return is_definition(type) ? with_definition(table, name, record) : table;
  }
  TablePtr of_state(const TablePtr& table, const store::Tree& state) const override {
    return with_definitions(table, state);
  }
};

}  // namespace

const Definitions& definitions() {
  static const CustomDefinitions kDefinitions;
  return kDefinitions;
}

bool is_definition(const ResourceType& type) { return type.key_prefix == kPrefix; }

}  // namespace tabernetes::registry::custom
