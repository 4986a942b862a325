// ServiceCIDR of networking.k8s.io. Source: upstream 1.36 pkg/apis/networking/validation.
#include "base/text/ascii.h"
#include "json/access.h"
#include "kinds/kinds.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kServiceCIDRRules, R"(
on create
 spec.cidrs required "at least one CIDR required" @cidrs
on update
 @cidrs-change
)");

namespace {

using json::Value;

void print_service_cidr(const Value& object, Row& row) {
  row.name(object);
  row.text(join_strings(items_at(object, {"spec", "cidrs"}), ","));
  row.age(object);
}

}  // namespace

const Kind kServiceCIDRKind{
    .group = "networking.k8s.io",
    .kind = "ServiceCIDR",
    .strategy = {.meta_passes = {"CF", "UF", "UF"}, .status_keeps_metadata = true},
    .rules = &kServiceCIDRRules,
    .print = &print_service_cidr};

}  // namespace tabernetes::registry::kinds
