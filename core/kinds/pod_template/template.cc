#include "kinds/pod_template/template.h"

#include "kinds/pod_template/pod_scope.h"
#include "kinds/shared/selectors.h"

namespace tabernetes::registry::kinds {

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

}  // namespace tabernetes::registry::kinds
