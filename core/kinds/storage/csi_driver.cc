// CSIDriver of storage.k8s.io. Source: upstream 1.36 pkg/apis/storage/validation.
#include <string>
#include <vector>

#include "base/go/text.h"
#include "base/text/parts.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"
#include "kinds/row/kind.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"

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

void set_csi_driver_defaults(const HookContext& context, Value& object) {
  if (!context.gates.enabled("VolumeLimitScaling")) return;
  fill_bool(object_or_new(object, "spec", context.arena), "preventPodSchedulingIfMissing", false,
            context.arena);
}

void token_requests(const Place& place) {
  for (const Field item : place.now.items()) {
    bool repeated = false;
    for (std::uint32_t i = 0; i < item.index(); ++i) {
      const Value& other = place.now.value()->items()[i];
      if (other.string_at("audience") == item.text_at("audience")) repeated = true;
    }
    if (repeated) {
      item["audience"].duplicate();
      continue;
    }
    const Field seconds = item["expirationSeconds"];
    if (!seconds.present()) continue;
    if (seconds.number() < 600) {
      seconds.invalid("may not specify a duration less than 10 minutes");
    }
    if (seconds.number() > std::int64_t{1} << 32) {
      seconds.invalid("may not specify a duration larger than 2^32 seconds");
    }
  }
}

void lifecycle_modes(const Place& place) {
  for (const Field mode : place.now.items()) {
    if (!mode.is("Persistent") && !mode.is("Ephemeral")) {
      place.now.errors().push_back(field::not_supported(place.now.path(), go_quote(mode.text()),
                                                        {"Persistent", "Ephemeral"}));
    }
  }
}

void warn_of_csi_driver(const Field& object, const Value* old, Warnings& out) {
  const Field spec = object["spec"];
  const Field requests = spec["tokenRequests"];
  if (requests.empty() || spec.has("serviceAccountTokenInSecrets")) return;
  const Value* before = old == nullptr ? nullptr : old->at({"spec", "tokenRequests"});
  if (before != nullptr && json::deep_equal(*before, *requests.value())) return;
  out.add(
      {"spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to "
       "true to prevent possible logging of tokens in volume attributes"});
}

}  // namespace

extern const NamedCheck kCsiDriverChecks[] = {
    {"token-requests", &token_requests},
    {"lifecycle-modes", &lifecycle_modes},
};

extern const Kind kCSIDriverKind{.group = "storage.k8s.io",
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
