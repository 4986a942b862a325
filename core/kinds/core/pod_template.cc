// PodTemplate. Source: upstream 1.36 pkg/apis/core/validation.
#include "json/access.h"
#include "kinds/pod_template/warnings.h"
#include "kinds/pod_template/workloads.h"
#include "kinds/row/kind.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kPodTemplateRules, R"(
template @pod-template
)");

TAB_DEFAULTS(kPodTemplateDefaults, R"(
template made @template-defaults
)");

namespace {

using json::Value;

void warn_of_pod_template(const Field& object, const Value* old, Warnings& out) {
  if (old != nullptr && same_generation(object, *old)) return;
  warn_of_pod_at(object["template"], true, out);
}

void print_pod_template(const Value& object, Row& row) {
  row.name(object);
  print_containers(items_at(object, {"template", "spec", "containers"}), row);
  row.text(labels_text(object.at({"template", "metadata", "labels"})));
}

}  // namespace

extern const Kind kPodTemplateKind{.group = "",
                                   .kind = "PodTemplate",
                                   .strategy = {.meta_passes = {"CF", "UF", "UF"},
                                                .generation = Generation::kTemplate,
                                                .returns_deleted_object = true,
                                                .warnings = &warn_of_pod_template},
                                   .rules = &kPodTemplateRules,
                                   .defaults = &kPodTemplateDefaults,
                                   .print = &print_pod_template};

}  // namespace tabernetes::registry::kinds
