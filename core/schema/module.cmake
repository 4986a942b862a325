tab_module(schema
  SOURCES
    apply_defaults.cc
    catalogue.cc
    catalogue_reader.cc
    decode.cc
    decode_scalar.cc
    feature_gates.cc
    gated_fields.cc
    go_type.cc
    openapi.cc
    openapi/custom_documents.cc
    openapi/descriptions.cc
    openapi/document_paths.cc
    openapi/json_text.cc
    openapi/operations.cc
    openapi/parameters.cc
    openapi/path_writer.cc
    openapi/paths_v2.cc
    openapi/paths_v3.cc
    openapi/resource_paths.cc
    openapi/schemas.cc
    repeated_member.cc
    schema_keywords.cc
    string_format.cc
    structural.cc
    structural_defaults.cc
    structural_prune.cc
    unstructured.cc
  DEPS json)

# Compiles the catalogue's texts to a table.
set(catalogue_data "${CMAKE_CURRENT_BINARY_DIR}/schema/catalogue_data.cc")
add_custom_command(
  OUTPUT "${catalogue_data}"
  COMMAND "${NODE}" "${PROJECT_SOURCE_DIR}/tools/catalogue/compile.mjs"
          "${CMAKE_CURRENT_SOURCE_DIR}/schema/catalogue" "${catalogue_data}" "--depfile=${catalogue_data}.d"
  DEPENDS "${PROJECT_SOURCE_DIR}/tools/catalogue/compile.mjs" "${PROJECT_SOURCE_DIR}/tools/catalogue/read.mjs"
  DEPFILE "${catalogue_data}.d"
  COMMENT "Compiling the catalogue of built-in kinds"
  VERBATIM)
target_sources(tab_schema PRIVATE "${catalogue_data}")
