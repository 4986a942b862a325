// CSINode of storage.k8s.io. Source: upstream 1.36 pkg/apis/storage/validation.
#include <string>

#include "base/go/text.h"
#include "json/access.h"
#include "json/equality.h"
#include "kinds/row/kind.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kCSINodeRules, R"(
spec.drivers[]
 name required maxlen:63 is:lower-subdomain
 nodeID required maxlen:256 "must be 256 characters or less"
 allocatable.count given min:0
 name distinct
 @topology-keys
on update
 @node-drivers-change
)");

namespace {

using json::Value;

void print_csi_node(const Value& object, Row& row) {
  row.name(object);
  row.number(items_at(object, {"spec", "drivers"}).size());
  row.age(object);
}

// Errors are reported at the driver.
void topology_keys(const Place& place) {
  const Field list = place.now["topologyKeys"];
  for (const Field key : list.items()) {
    if (key.text().empty()) place.now.required();
    for (std::uint32_t i = 0; i < key.index(); ++i) {
      if (!json::deep_equal(&list.value()->items()[i], key.value())) continue;
      place.now.duplicate_as(go_quote(key.text()));
      break;
    }
    for (const std::string& fault : qualified_name_faults(key.text())) {
      place.now.invalid_string(key.text(), fault);
    }
  }
}

// Prints the internal type without its mutable fields.
std::string printed_driver(const Field& driver) {
  const Field keys = driver["topologyKeys"];
  return R"({"Name":)" + go_quote(driver.text_at("name")) + R"(,"NodeID":)" +
         go_quote(driver.text_at("nodeID")) + R"(,"TopologyKeys":)" +
         (keys.present() ? keys.printed() : "null") + R"(,"Allocatable":null})";
}

void node_drivers_change(const Place& place) {
  const Field spec = place.now["spec"];
  const Field drivers = spec["drivers"];
  const Value* old = place.old->at({"spec", "drivers"});
  if (old == nullptr || old->is_null()) return;
  for (const Value& before : old->items()) {
    for (const Field driver : drivers.items()) {
      if (driver.text_at("name") != before.string_at("name")) continue;
      if (driver.text_at("nodeID") == before.string_at("nodeID") &&
          json::deep_equal(driver.find("topologyKeys"), before.find("topologyKeys"))) {
        continue;
      }
      drivers.invalid_printed(printed_driver(driver), field::kImmutable);
    }
  }
}

}  // namespace

extern const NamedCheck kCsiNodeChecks[] = {
    {"topology-keys", &topology_keys},
    {"node-drivers-change", &node_drivers_change},
};

extern const Kind kCSINodeKind{.group = "storage.k8s.io",
                               .kind = "CSINode",
                               .strategy = {.meta_passes = {"CF", "CF", ""},
                                            .allow_unconditional_update = false,
                                            .returns_deleted_object = true},
                               .rules = &kCSINodeRules,
                               .print = &print_csi_node};

}  // namespace tabernetes::registry::kinds
