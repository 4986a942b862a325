#include "schema/openapi/parameters.h"

#include <algorithm>

namespace tabernetes::schema::openapi {
namespace {

Parameter query(std::string_view name, std::string_view type) { return {name, "query", type}; }

std::string_view query_type(FieldType type) {
  switch (type) {
    case FieldType::kBoolean:
      return "boolean";
    case FieldType::kInt32:
    case FieldType::kInt64:
      return "integer";
    case FieldType::kString:
    case FieldType::kArray:  // of strings: the parameter is repeated
      return "string";
    default:
      return {};
  }
}

}  // namespace

Parameters list_parameters() {
  return {query("allowWatchBookmarks", "boolean"),
          query("continue", "string"),
          query("fieldSelector", "string"),
          query("labelSelector", "string"),
          query("limit", "integer"),
          query("resourceVersion", "string"),
          query("resourceVersionMatch", "string"),
          query("sendInitialEvents", "boolean"),
          query("shardSelector", "string"),
          query("timeoutSeconds", "integer"),
          query("watch", "boolean")};
}

Parameters write_parameters() {
  return {query("dryRun", "string"), query("fieldManager", "string"),
          query("fieldValidation", "string")};
}

Parameters patch_parameters() {
  Parameters parameters = write_parameters();
  parameters.push_back(query("force", "boolean"));
  return parameters;
}

Parameters delete_parameters() {
  return {query("dryRun", "string"), query("gracePeriodSeconds", "integer"),
          query("ignoreStoreReadErrorWithClusterBreakingPotential", "boolean"),
          query("orphanDependents", "boolean"), query("propagationPolicy", "string")};
}

Parameters delete_collection_parameters() {
  Parameters parameters = delete_parameters();
  for (const Parameter& parameter : list_parameters()) {
    if (parameter.name != "allowWatchBookmarks" && parameter.name != "watch") {
      parameters.push_back(parameter);
    }
  }
  return parameters;
}

Parameters option_parameters(const Type& options) {
  Parameters parameters;
  for (const Field* field : options.json_fields()) {
    const std::string_view type = query_type(field->type.type);
    if (!field->type_meta && !type.empty()) parameters.push_back(query(field->name, type));
  }
  return parameters;
}

Parameter path_parameter(std::string_view name) { return {name, "path", "string"}; }

Parameter pretty_parameter() { return query("pretty", "string"); }

void sort_by_name(Parameters& parameters) {
  std::sort(parameters.begin(), parameters.end(),
            [](const Parameter& a, const Parameter& b) { return a.name < b.name; });
}

void write_parameters_member(const Parameters& parameters, JsonText& out) {
  if (parameters.empty()) return;
  out.open_array("parameters");
  for (const Parameter& parameter : parameters) {
    out.open_object();
    out.member("name", parameter.name);
    out.member("in", parameter.in);
    if (parameter.in == "path") out.raw_member("required", "true");
    out.open_object("schema");
    out.member("type", parameter.type);
    out.raw_member("uniqueItems", "true");
    out.close_object();
    out.close_object();
  }
  out.close_array();
}

}  // namespace tabernetes::schema::openapi
