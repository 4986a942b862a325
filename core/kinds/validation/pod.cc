#include "kinds/validation/pod.h"

#include "kinds/validation/pod_parts.h"
#include "kinds/validation/selectors.h"
#include "kinds/validation/shared_rules.h"

namespace tabernetes::registry::validation {
namespace {

void validate_pod_spec(PodScope& scope) {
  const Field& spec = scope.spec;
  validate_volumes(scope);
  const Field claims = spec["resourceClaims"];
  for (const Field claim : claims.items()) {
    const std::string_view name = claim.text_at("name");
    if (!name.empty() && !scope.is_static) scope.claims.add(name);
  }
  Place place{spec, nullptr, Write::kCreate, spec.value()};
  place.pod = &scope;
  kPodSpecRules.check(place);
}

}  // namespace

// Runs the checks common to create and all updates.
void validate_pod_common(const Field& pod) {
  const Field spec = pod["spec"];
  const Field metadata = pod["metadata"];
  const Field annotations = metadata["annotations"];
  validate_pod_annotations(annotations, spec);
  PodScope scope{spec, true, metadata.text_at("name"), is_mirror(annotations)};
  validate_pod_spec(scope);
  kWholePodRules.check_alone(pod);
}

void validate_pod(const Field& pod) {
  validate_pod_common(pod);
  const Field spec = pod["spec"];
  kNewPodRules.check_alone(pod);
  const Field metadata = pod["metadata"];
  validate_profile_annotations(metadata["annotations"], spec);
}

void validate_pod_template(const Field& tmpl) {
  // Upstream's paths omit the template's metadata.
  const Field metadata = tmpl["metadata"];
  const Field annotations = tmpl.as("annotations", metadata["annotations"]);
  const Field spec = tmpl["spec"];
  validate_label_map(tmpl.as("labels", metadata["labels"]));
  validate_annotation_map(annotations);
  validate_pod_annotations(annotations, spec);
  PodScope scope{spec, false, {}};
  validate_pod_spec(scope);
  validate_profile_annotations(annotations, spec);
  if (!spec["ephemeralContainers"].empty()) {
    spec["ephemeralContainers"].forbidden("ephemeral containers not allowed in pod template");
  }
}

}  // namespace tabernetes::registry::validation
