#include "registry/validation/pod.h"

#include "registry/validation/pod_parts.h"
#include "registry/validation/selectors.h"

namespace tabernetes::registry::validation {
namespace {

void validate_tokens(const Field& spec) {
  if (!spec.text_at("serviceAccountName").empty()) return;
  const Field volumes = spec["volumes"];
  for (const Field volume : volumes.items()) {
    const Field projected = volume["projected"];
    const Field sources = projected["sources"];
    for (const Field source : sources.items()) {
      if (!source.has("serviceAccountToken")) continue;
      source["serviceAccountToken"].forbidden(
          "must not be specified when serviceAccountName is not set");
    }
  }
}

}  // namespace

// What holds of a pod whatever is done to it.
void validate_whole_pod(const Field& pod) {
  const Field spec = pod["spec"];
  const Field metadata = pod["metadata"];
  const Field annotations = metadata["annotations"];
  validate_pod_annotations(annotations, spec);
  PodScope scope{spec, true, metadata.text_at("name"), is_mirror(annotations)};
  validate_pod_spec(scope);
  validate_tokens(spec);
  validate_container_images(spec["containers"]);
  validate_container_images(spec["initContainers"]);
}

void validate_pod(const Field& pod) {
  validate_whole_pod(pod);
  const Field spec = pod["spec"];
  if (!spec["ephemeralContainers"].empty()) {
    spec["ephemeralContainers"].forbidden("cannot be set on create");
  }
  if (!spec.text_at("nodeName").empty() && !spec["schedulingGates"].empty()) {
    spec["nodeName"].forbidden("cannot be set until all schedulingGates have been cleared");
  }
  const Field metadata = pod["metadata"];
  validate_profile_annotations(metadata["annotations"], spec);
}

void validate_pod_template(const Field& tmpl) {
  // Upstream's paths say nothing of the template's metadata.
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
