// Lease of coordination.k8s.io. Source: upstream 1.36 pkg/apis/coordination/validation.
#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kLeaseRules, R"(
spec
 leaseDurationSeconds given ge:1 "must be greater than 0"
 leaseTransitions given min:0
)");

namespace {

using json::Value;

void print_lease(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"spec", "holderIdentity"}));
  row.age(object);
}

}  // namespace

extern const Kind kLeaseKind{
    .group = "coordination.k8s.io",
    .kind = "Lease",
    .strategy = {.allow_create_on_update = true, .allow_unconditional_update = false},
    .rules = &kLeaseRules,
    .print = &print_lease};

}  // namespace tabernetes::registry::kinds
