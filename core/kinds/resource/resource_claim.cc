// ResourceClaim of resource.k8s.io.
// Source: upstream 1.36 pkg/apis/resource/validation.
#include <string>

#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kResourceClaimRules, R"(
on create
 spec.devices &device-claim
on update
 spec immutable=#resource.v1.ResourceClaimSpec
on status
 status
  reservedFor[]
   resource required
   name required
   uid required
  ?reservedFor
   ?-allocation
    reservedFor deny "may not be specified when `allocated` is not set"
)");

TAB_DEFAULTS(kResourceClaimDefaults, R"(
spec made
 devices &device-defaults
)");

namespace {

using json::Value;

std::string claim_state(const Value& claim) {
  const bool deleted = has(claim, {"metadata", "deletionTimestamp"});
  if (!has(claim, {"status", "allocation"})) return deleted ? "deleted" : "pending";
  std::string text = deleted ? "deleted,allocated" : "allocated";
  if (!items_at(claim, {"status", "reservedFor"}).empty()) text += ",reserved";
  return text;
}

void print_resource_claim(const Value& object, Row& row) {
  row.name(object);
  row.text(claim_state(object));
  row.age(object);
}

}  // namespace

extern const Kind kResourceClaimKind{.group = "resource.k8s.io",
                                     .kind = "ResourceClaim",
                                     .strategy = {.meta_passes = {"CF", "CFUF", "UF"},
                                                  .returns_deleted_object = true,
                                                  .status_keeps_metadata = true},
                                     .rules = &kResourceClaimRules,
                                     .defaults = &kResourceClaimDefaults,
                                     .print = &print_resource_claim};

}  // namespace tabernetes::registry::kinds
