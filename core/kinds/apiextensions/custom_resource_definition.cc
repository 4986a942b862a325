// CustomResourceDefinition of apiextensions.k8s.io.
#include "custom/definition/custom_definition.h"
#include "custom/definition/validate_definition.h"
#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

extern const Kind kCustomResourceDefinitionKind{
    .group = "apiextensions.k8s.io",
    .kind = "CustomResourceDefinition",
    .strategy = {.etcd_path = "apiextensions.k8s.io/customresourcedefinitions",
                 .reset_fields = kMetadataResets,
                 .generation = Generation::kSpec,
                 .allow_unconditional_update = false,
                 .returns_deleted_object = true,
                 .deletes_in_two_requests = true,
                 .set_defaults = &set_definition_defaults,
                 .prepare_for_create = &prepare_definition_for_create,
                 .prepare_for_update = &prepare_definition_for_update,
                 .blocks_deletion = &definition_holds_deletion,
                 .start_deletion = &start_definition_deletion,
                 .validate = &custom::validate_definition,
                 .validate_update = &custom::validate_definition_update,
                 .validate_status = &custom::validate_definition_status,
                 .warnings = &custom::definition_warnings}};

}  // namespace tabernetes::registry::kinds
