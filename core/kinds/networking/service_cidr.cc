// ServiceCIDR of networking.k8s.io. Source: upstream 1.36 pkg/apis/networking/validation.
#include "base/net/ip_address.h"
#include "json/access.h"
#include "json/equality.h"
#include "kinds/row/kind.h"
#include "kinds/shared/lists.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "rules/formats.h"

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

void cidrs(const Place& place) {
  const Field& list = place.now;
  if (list.size() > 2) {
    return list.invalid_printed(R"({"CIDRs":)" + list.printed() + "}",
                                "may only hold up to 2 values");
  }
  for (const Field item : list.items()) item.invalid(canonical_cidr_faults(item.text()));
  if (list.size() != 2) return;
  const auto first = parse_ip_range(list.value()->items()[0].as_string());
  const auto second = parse_ip_range(list.value()->items()[1].as_string());
  if (first && second && first->address.v4 == second->address.v4) {
    list.invalid(
        "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64");
  }
}

void cidrs_change(const Place& place) {
  const Field spec = place.now["spec"];
  const Field list = spec["cidrs"];
  const Value* old = place.old->at({"spec", "cidrs"});
  const std::uint32_t before = old == nullptr ? 0 : old->size();
  if (list.size() != before && (list.size() != 2 || before != 1)) {
    return list.invalid_printed(printed_list(list), field::kImmutable);
  }
  for (const Field item : list.items()) {
    if (item.index() < before && !json::deep_equal(*item.value(), old->items()[item.index()])) {
      item.invalid(field::kImmutable);
    }
  }
  if (list.size() != before) cidrs({list, nullptr, place.write, place.root});
}

}  // namespace

extern const NamedCheck kServiceCidrChecks[] = {
    {"cidrs", &cidrs},
    {"cidrs-change", &cidrs_change},
};

extern const Kind kServiceCIDRKind{
    .group = "networking.k8s.io",
    .kind = "ServiceCIDR",
    .strategy = {.meta_passes = {"CF", "UF", "UF"}, .status_keeps_metadata = true},
    .rules = &kServiceCIDRRules,
    .print = &print_service_cidr};

}  // namespace tabernetes::registry::kinds
