#include "schema/openapi/parameters.h"

#include "base/algorithm/sort.h"

namespace tabernetes::schema::openapi {
namespace {

Parameter query(std::string_view name, std::string_view type, std::string_view suffix) {
  return {name, "query", type, suffix};
}

std::string_view query_type(FieldType type) {
  switch (type) {
    case FieldType::kBoolean:
      return "boolean";
    case FieldType::kInt32:
    case FieldType::kInt64:
      return "integer";
    case FieldType::kString:
      return "string";
    default:
      return {};
  }
}

// The real server's suffix is a hash of the parameter's text including its description, which our
// documents may lack: hence a table. The descriptions differ between option kinds.
struct OptionSuffix {
  std::string_view kind, field, suffix;
};
constexpr OptionSuffix kOptionSuffixes[] = {
    {"NodeProxyOptions", "path", "rFDtV0x9"},
    {"PodAttachOptions", "container", "_Q-EJ3nR"},
    {"PodAttachOptions", "stderr", "26jJhFUR"},
    {"PodAttachOptions", "stdin", "sEFnN3IS"},
    {"PodAttachOptions", "stdout", "005YMKE6"},
    {"PodAttachOptions", "tty", "g7MlET_l"},
    {"PodExecOptions", "command", "Py3eQybp"},
    {"PodExecOptions", "container", "i5dOmRiM"},
    {"PodExecOptions", "stderr", "W_1TNlWc"},
    {"PodExecOptions", "stdin", "PSzNhyUC"},
    {"PodExecOptions", "stdout", "-EZLRwV1"},
    {"PodExecOptions", "tty", "s0flW37O"},
    {"PodLogOptions", "container", "1GeXxFDC"},
    {"PodLogOptions", "follow", "9OIXh_2R"},
    {"PodLogOptions", "insecureSkipTLSVerifyBackend", "gM00jVbe"},
    {"PodLogOptions", "limitBytes", "zwd1RXuc"},
    {"PodLogOptions", "previous", "1jxDPu3y"},
    {"PodLogOptions", "sinceSeconds", "vE2NLdnP"},
    {"PodLogOptions", "stream", "l-48cgXv"},
    {"PodLogOptions", "tailLines", "9xQLWHMV"},
    {"PodLogOptions", "timestamps", "c17fW1w_"},
    {"PodPortForwardOptions", "ports", "91KROJmm"},
    {"PodProxyOptions", "path", "oPbzgLUj"},
    {"ServiceProxyOptions", "path", "QCf0eosM"},
};

std::string_view option_suffix(std::string_view kind, std::string_view field) {
  for (const OptionSuffix& option : kOptionSuffixes) {
    if (option.kind == kind && option.field == field) return option.suffix;
  }
  return {};
}

Parameter field_manager(std::string_view suffix) { return query("fieldManager", "string", suffix); }

}  // namespace

Parameters list_parameters() {
  return {query("allowWatchBookmarks", "boolean", "HC2hJt-J"),
          query("continue", "string", "QfD61s0i"),
          query("fieldSelector", "string", "xIcQKXFG"),
          query("labelSelector", "string", "5Zw57w4C"),
          query("limit", "integer", "1NfNmdNH"),
          query("resourceVersion", "string", "5WAnf1kx"),
          query("resourceVersionMatch", "string", "t8XhRHeC"),
          query("sendInitialEvents", "boolean", "rLXlEK_k"),
          query("shardSelector", "string", "Kgyki_3_"),
          query("timeoutSeconds", "integer", "yvYezaOC"),
          query("watch", "boolean", "XNNPZGbK")};
}

Parameters write_parameters() {
  return {query("dryRun", "string", ""), field_manager("Qy4HdaTW"),
          query("fieldValidation", "string", "")};
}

Parameters patch_parameters() {
  return {query("dryRun", "string", ""), field_manager("7c6nTn1T"),
          query("fieldValidation", "string", ""), query("force", "boolean", "tOGGb0Yi")};
}

Parameters delete_parameters() {
  return {query("dryRun", "string", ""), query("gracePeriodSeconds", "integer", "-K5HaBOS"),
          query("ignoreStoreReadErrorWithClusterBreakingPotential", "boolean", "QbNkfIqj"),
          query("orphanDependents", "boolean", "uRB25kX5"),
          query("propagationPolicy", "string", "6jk3prlO")};
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
    // A list parameter may be repeated.
    const bool list = field->type.type == FieldType::kArray && field->type.element != nullptr;
    const std::string_view type = query_type(list ? field->type.element->type : field->type.type);
    if (field->type_meta || type.empty()) continue;
    parameters.push_back(query(field->name, type, option_suffix(options.go_name, field->name)));
  }
  return parameters;
}

Parameter path_parameter(std::string_view name, std::string_view kind) {
  std::string_view suffix;
  if (name == "namespace") suffix = "vgWSWtn3";
  if (name == "path") suffix = "z6Ciiujn";
  return {name, "path", "string", suffix, true, name == "name" ? kind : std::string_view()};
}

Parameter pretty_parameter() { return query("pretty", "string", "tJGM1-ng"); }

Parameter body_parameter(std::string_view type_name, bool required) {
  std::string_view suffix;
  if (type_name.ends_with(".meta.v1.DeleteOptions")) suffix = "2Y1dVQaQ";
  if (type_name.ends_with(".meta.v1.Patch")) suffix = "78PwaGsr";
  return {"body", "body", type_name, suffix, required};
}

std::string shared_name(const Parameter& parameter) {
  std::string name(parameter.name);
  if (!parameter.suffix.empty()) name.append("-").append(parameter.suffix);
  return name;
}

std::string description_of(const Parameter& parameter, const Descriptions& descriptions) {
  if (descriptions.empty()) return {};
  if (!parameter.kind.empty()) return "name of the " + std::string(parameter.kind);
  return std::string(descriptions.of_parameter(shared_name(parameter)));
}

void sort_by_name(Parameters& parameters) {
  sort_stable(parameters, [](const Parameter& a, const Parameter& b) {
    return a.name != b.name ? a.name < b.name : a.in < b.in;
  });
}

}  // namespace tabernetes::schema::openapi
