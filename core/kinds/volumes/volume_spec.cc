// Specs of persistent volumes, also inline in attachments. Source: upstream 1.36
// pkg/apis/core/validation: ValidatePersistentVolumeSpec.
#include <string>

#include "kinds/shared/checks.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kVolumeSpecRules, R"(
accessModes required
@access-modes
capacity @capacity
persistentVolumeReclaimPolicy opt enum:Delete,Recycle,Retain
nodeAffinity given
 required present "must specify required node constraints" &node-selector
@volume-source
storageClassName opt is:subdomain
volumeMode given enum:Block,Filesystem
&volume-attributes
)");

TAB_RULES(kInlineVolumeSpecRules, R"(
claimRef forbid "may not be specified in the context of inline volumes"
capacity forbid "may not be specified in the context of inline volumes"
csi present "has to be specified in the context of inline volumes"
accessModes required
@access-modes
?persistentVolumeReclaimPolicy!=Retain
 persistentVolumeReclaimPolicy forbid "may only be Retain in the context of inline volumes"
nodeAffinity forbid "may not be specified in the context of inline volumes"
@volume-source
storageClassName forbid "may not be specified in the context of inline volumes"
?volumeMode!=Filesystem
 volumeMode forbid "may not specify volumeMode other than Filesystem in the context of inline volumes"
&volume-attributes
)");

TAB_RULES(kVolumeAttributesRules, R"(
volumeAttributesClassName given required "an empty string is disallowed" is:subdomain
?+volumeAttributesClassName
 csi present "has to be specified when using volumeAttributesClassName"
)");

namespace {

// Checks accessModes of a volume or claim; errors are reported at the list.
void access_modes(const Place& place) {
  constexpr std::string_view kModes = "ReadOnlyMany,ReadWriteMany,ReadWriteOnce,ReadWriteOncePod";
  const Field list = place.now["accessModes"];
  bool one_pod = false;
  bool others = false;
  for (const Field mode : list.items()) {
    if (!listed(kModes, mode.text())) {
      place.now.as("accessModes", mode).not_supported(kModes);
    } else {
      (mode.is("ReadWriteOncePod") ? one_pod : others) = true;
    }
  }
  if (one_pod && others) list.forbidden("may not use ReadWriteOncePod with other access modes");
}

void capacity(const Place& place) {
  const Field& map = place.now;
  if (map.empty()) map.required();
  if (!map.has("storage") || map.size() > 1) {
    map.errors().push_back(field::not_supported(
        map.path(), map.present() ? map.printed() : std::string("null"), {"storage"}));
  }
  for (const Field amount : map.items()) {
    check_quantity({amount, nullptr, place.write, place.root});
    check_above_zero({amount, nullptr, place.write, place.root});
  }
}

}  // namespace

extern const NamedCheck kVolumeSpecChecks[] = {
    {"access-modes", &access_modes},
    {"capacity", &capacity},
};

}  // namespace tabernetes::registry::kinds
