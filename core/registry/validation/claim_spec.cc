#include "registry/validation/claim_spec.h"

#include "base/quantity.h"
#include "registry/validation/selectors.h"

namespace tabernetes::registry::validation {
namespace {

constexpr std::string_view kModes = "ReadOnlyMany,ReadWriteMany,ReadWriteOnce,ReadWriteOncePod";

void validate_access_modes(const Field& modes) {
  bool alone = false;
  bool others = false;
  for (const Field mode : modes.items()) {
    const bool known = modes.with(mode).one_of(kModes);
    if (mode.is("ReadWriteOncePod")) {
      alone = true;
    } else if (known) {
      others = true;
    }
  }
  if (alone && others) modes.forbidden("may not use ReadWriteOncePod with other access modes");
}

void validate_storage(const Field& spec) {
  const Field resources = spec["resources"];
  const Field requests = resources["requests"];
  // Upstream's path says nothing of the requests.
  const Field storage = resources.key("storage").with(requests["storage"]);
  if (!storage.present()) return storage.required();
  std::string_view error;
  const auto quantity = Quantity::parse(storage.text(), error);
  if (quantity && quantity->sign() <= 0) storage.invalid("must be greater than zero");
}

void validate_source(const Field& source) {
  if (!source.present()) return;
  source["name"].require();
  source["kind"].require();
  const std::string_view kind = source.text_at("kind");
  const Field group = source["apiGroup"];
  if (group.text().empty()) {
    if (kind != "PersistentVolumeClaim") {
      source.invalid_text(kind,
                          "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
    }
  } else {
    group.format(dns1123_subdomain_faults);
  }
}

void validate_sources(const Field& spec) {
  const Field source = spec["dataSource"];
  const Field ref = spec["dataSourceRef"];
  validate_source(source);
  validate_source(ref);
  const Field ns = ref["namespace"];
  ns.format_or_empty(dns1123_label_faults);
  if (!source.present() || !ref.present()) return;
  if (!ns.text().empty()) {
    spec.invalid_as("{}", "may not be specified when dataSourceRef.namespace is specified");
    return;
  }
  for (const std::string_view name : {"apiGroup", "kind", "name"}) {
    if (source[name].same(ref[name])) continue;
    spec.invalid_as("{}", "must match dataSourceRef");
    return;
  }
}

}  // namespace

void validate_claim_spec(const Field& spec) {
  const Field modes = spec["accessModes"];
  if (modes.empty()) modes.required("at least 1 access mode is required");
  validate_label_selector(spec["selector"]);
  validate_access_modes(modes);
  validate_storage(spec);
  spec["storageClassName"].format_or_empty(dns1123_subdomain_faults);
  spec["volumeMode"].one_of_or_absent("Block,Filesystem");
  validate_sources(spec);
  spec["volumeAttributesClassName"].format_or_empty(dns1123_subdomain_faults);
}

void validate_claim_template(const Field& claim) {
  const Field metadata = claim["metadata"];
  validate_annotation_map(metadata["annotations"]);
  validate_label_map(metadata["labels"]);
  for (const Field member : metadata.items()) {
    if (member.name() == "annotations" || member.name() == "labels") continue;
    metadata[member.name()].forbidden("cannot be set");
  }
  validate_claim_spec(claim["spec"]);
}

}  // namespace tabernetes::registry::validation
