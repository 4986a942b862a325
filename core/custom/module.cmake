# Custom resources and their CustomResourceDefinitions.
tab_module(custom
  SOURCES
    conversion/conversion_review.cc
    definition/cel_rule_checks.cc
    definition/custom_definition.cc
    definition/default_checks.cc
    definition/definition_approval.cc
    definition/definition_conversion.cc
    definition/definition_versions.cc
    definition/definition_warnings.cc
    definition/definitions.cc
    definition/metrics_kinds.cc
    definition/schema_checks.cc
    definition/structural_checks.cc
    definition/validate_definition.cc
    objects/ca_bundle.cc
    objects/conversions.cc
    objects/custom_kind.cc
    objects/custom_table.cc
    objects/custom_version.cc
    objects/strategy.cc
    objects/validate.cc
    objects/versions.cc
    schema/accessor_problem.cc
    schema/coerce.cc
    schema/compiled_rule.cc
    schema/correlation.cc
    schema/embedded_objects.cc
    schema/field_path.cc
    schema/json_path.cc
    schema/label_faults.cc
    schema/list_validation.cc
    schema/printed_value.cc
    schema/published_schema.cc
    schema/cel_rules.cc
    schema/value_validation.cc
  ROOMS
    "schema:"  # structural schemas applied: conform, values, rules, columns
    "objects: schema"  # kinds defined while the server runs, and their objects
    "conversion: objects"  # ConversionReviews for webhooks
    "definition: objects schema"  # CustomResourceDefinition itself
  DEPS cel registry)
