// IPAddress of networking.k8s.io. Source: upstream 1.36 pkg/apis/networking/validation.
#include <string>

#include "base/text/ascii.h"
#include "kinds/row/kind.h"
#include "kinds/shared/own_names.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kIPAddressRules, R"(
on create update
 @ip-address-name
 spec
  parentRef required
   group opt is:subdomain
   resource required is:segment
   name required is:segment
   namespace opt is:segment
on update
 spec.parentRef immutable=#networking.v1.ParentReference
)");

namespace {

using json::Value;

std::string parent_reference(const Value& address) {
  const Value* parent = address.at({"spec", "parentRef"});
  if (parent == nullptr || !parent->is_object()) return std::string(kNone);
  std::string text(parent->string_at("resource"));
  const std::string_view group = parent->string_at("group");
  if (!group.empty()) text.append(".").append(group);
  text = ascii_lower(text);
  const std::string_view space = parent->string_at("namespace");
  if (!space.empty()) text.append("/").append(space);
  return text.append("/").append(parent->string_at("name"));
}

// Three cells for two columns, as upstream.
void print_ip_address(const Value& object, Row& row) {
  row.name(object);
  row.text(parent_reference(object));
  row.age(object);
}

void ip_address_name(const Place& place) { add_name_faults(place, {}); }

}  // namespace

extern const NamedCheck kIpAddressChecks[] = {
    {"ip-address-name", &ip_address_name},
};

extern const Kind kIPAddressKind{.group = "networking.k8s.io",
                                 .kind = "IPAddress",
                                 .strategy = {.names = kAnyName, .meta_passes = {"CF", "CFUF", ""}},
                                 .rules = &kIPAddressRules,
                                 .print = &print_ip_address};

}  // namespace tabernetes::registry::kinds
