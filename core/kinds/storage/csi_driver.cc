// CSIDriver of storage.k8s.io. Source: upstream 1.36 pkg/apis/storage/validation.
#include <string>
#include <vector>

#include "base/text/parts.h"
#include "json/access.h"
#include "kinds/defaults_volume.h"
#include "kinds/kinds.h"
#include "kinds/warn.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kCSIDriverRules, R"(
spec
 attachRequired>attachedRequired present
 podInfoOnMount present
 storageCapacity present
 fsGroupPolicy given enum:File,None,ReadWriteOnceWithFSType
 tokenRequests @token-requests
 volumeLifecycleModes @lifecycle-modes
 nodeAllocatableUpdatePeriodSeconds given ge:10 "must be greater than or equal to 10 seconds"
 ?!tokenRequests
  serviceAccountTokenInSecrets given bad "serviceAccountTokenInSecrets is set but no tokenRequests are specified"
on update
 spec.attachRequired>attachedRequired immutable
 spec.volumeLifecycleModes immutable
)");

TAB_DEFAULTS(kCSIDriverDefaults, R"(
spec made
 attachRequired fill=true
 podInfoOnMount,storageCapacity,requiresRepublish,seLinuxMount fill=false
 fsGroupPolicy fill=ReadWriteOnceWithFSType
 volumeLifecycleModes default=["Persistent"]
)");

namespace {

using json::Value;

std::string token_audiences(const Value& driver) {
  if (!has(driver, {"spec", "tokenRequests"})) return std::string(kUnset);
  std::vector<std::string> audiences;
  for (const Value& request : items_at(driver, {"spec", "tokenRequests"})) {
    audiences.emplace_back(request.string_at("audience"));
  }
  return join(audiences, ",");
}

void print_csi_driver(const Value& object, Row& row) {
  row.name(object);
  row.boolean(!has(object, {"spec", "attachRequired"}) ||
              bool_at(object, {"spec", "attachRequired"}));
  row.boolean(bool_at(object, {"spec", "podInfoOnMount"}));
  row.boolean(bool_at(object, {"spec", "storageCapacity"}));
  row.text(token_audiences(object));
  row.boolean(bool_at(object, {"spec", "requiresRepublish"}));
  const std::string modes = join_strings(items_at(object, {"spec", "volumeLifecycleModes"}), ",");
  row.text(modes.empty() ? std::string(kNone) : modes);
  row.age(object);
}

}  // namespace

const Kind kCSIDriverKind{.group = "storage.k8s.io",
                          .kind = "CSIDriver",
                          .strategy = {.meta_passes = {"CF", "UF", ""},
                                       .generation = Generation::kSpecFromZero,
                                       .allow_unconditional_update = false,
                                       .returns_deleted_object = true,
                                       .set_defaults = &set_csi_driver_defaults,
                                       .warnings = &warn_of_csi_driver},
                          .rules = &kCSIDriverRules,
                          .defaults = &kCSIDriverDefaults,
                          .print = &print_csi_driver};

}  // namespace tabernetes::registry::kinds
