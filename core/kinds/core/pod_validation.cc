// Validation of pods; their specs are in pod_template/. Source: upstream 1.36
// pkg/apis/core/validation/validation.go.
#include "kinds/core/pod_validation.h"

#include "kinds/pod_template/pod_scope.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kWholePodRules, R"(
?!spec.serviceAccountName
 spec.volumes[].projected.sources[].serviceAccountToken given deny "must not be specified when serviceAccountName is not set"
spec.containers,initContainers[].image @not-padded
)");

TAB_RULES(kNewPodRules, R"(
spec.ephemeralContainers forbid "cannot be set on create"
?spec.nodeName ?spec.schedulingGates
 spec.nodeName deny "cannot be set until all schedulingGates have been cleared"
)");

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

}  // namespace tabernetes::registry::kinds
