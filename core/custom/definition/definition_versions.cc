#include "custom/definition/definition_versions.h"

#include <set>

#include "base/go/text.h"
#include "base/text/utf8.h"
#include "codec/json_writer.h"
#include "custom/definition/cel_rule_checks.h"
#include "custom/definition/schema_checks.h"
#include "custom/schema/cel_rules.h"
#include "custom/schema/field_path.h"
#include "custom/schema/label_faults.h"
#include "rules/internal_form.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;
using validation::Field;
using validation::listed;

std::string json_text(const Field& field) { return codec::json_text(field.value()); }

constexpr std::string_view kShared[] = {"schema", "subresources", "additionalPrinterColumns",
                                        "selectableFields"};

// Returns true if `member` is the same in all versions, or missing in all.
bool is_shared(const Field& versions, std::string_view member) {
  if (versions.empty()) return false;
  const Field first = versions.item(0);
  for (const Field version : versions.items()) {
    if (!version[member].same(first[member])) return false;
  }
  return true;
}

bool has_status(const Field& subresources) { return subresources.find("status") != nullptr; }

void check_schema_of(const Field& schema, bool status_enabled) {
  const Field open_api = schema["openAPIV3Schema"];
  if (open_api.present()) check_cel_rules(check_schema(open_api, status_enabled), open_api);
}

// --- Subresources, columns, selectable fields

bool is_simple_path(const Field& at, std::string_view printed) {
  if (at.text().starts_with('.')) return true;
  at.invalid_printed(printed, "must be a simple json path starting with .");
  return false;
}

void scale_path(const Field& scale, std::string_view name, std::string_view below) {
  const std::string shown = "scale." + std::string(name);
  const Field path = scale.as(shown, scale[name]);
  const std::string prefix = std::string(below) + ".";
  if (path.text().empty()) {
    path.required();
  } else if (is_simple_path(path, path.printed()) && !path.text().starts_with(prefix)) {
    path.invalid("should be a json path under " + std::string(below));
  }
}

void subresource_rules(const Field& subresources) {
  // The real server's paths contain "scale.specReplicasPath" as one element.
  const Field scale = subresources.with(subresources["scale"]);
  if (!scale.present()) return;
  scale_path(scale, "specReplicasPath", ".spec");
  scale_path(scale, "statusReplicasPath", ".status");
  const Field selector = scale.as("scale.labelSelectorPath", scale["labelSelectorPath"]);
  if (selector.text().empty()) return;
  if (is_simple_path(selector, selector.printed()) && !selector.text().starts_with(".spec.") &&
      !selector.text().starts_with(".status.")) {
    selector.invalid_printed(json_text(selector),
                             "should be a json path under either .spec or .status");
  }
}

void column_rules(const Field& column) {
  column["name"].require();
  static constexpr std::string_view kTypes = "boolean,date,integer,number,string";
  const Field type = column["type"];
  const std::string types = "must be one of " + std::string(kTypes);
  if (type.text().empty()) {
    type.required(types);
  } else if (!listed(kTypes, type.text())) {
    type.invalid(types);
  }
  static constexpr std::string_view kFormats =
      "byte,date,date-time,double,float,int32,int64,password";
  const Field format = column["format"];
  if (!format.text().empty() && !listed(kFormats, format.text())) {
    format.invalid("must be one of " + std::string(kFormats));
  }
  const Field path = column.as("JSONPath", column["jsonPath"]);
  if (path.text().empty()) {
    path.required();
  } else {
    is_simple_path(path, path.printed());
  }
}

constexpr std::uint32_t kMostSelectableFields = 8;

bool is_selectable(const Value* schema) {
  return schema != nullptr && listed("string,boolean,integer", schema->string_at("type"));
}

// `old` are the fields of the same version before an update; too many are tolerated if unchanged.
void selectable_rules(const Field& fields, const Field& schema, const Field& old) {
  std::set<std::string> seen;
  for (const Field each : fields.items()) {
    const Field path = each["jsonPath"];
    if (!path.require()) continue;
    const FieldPath found =
        find_field(path.text(), *schema.find("openAPIV3Schema"), ArrayNotation::kForbidden);
    if (!found.error.empty()) {
      path.invalid("is an invalid path: " + found.error);
      continue;
    }
    if (found.root == "metadata") path.invalid("must not point to fields in metadata");
    if (!is_selectable(found.schema)) {
      path.invalid(
          "must point to a field of type string, boolean or integer. Enum string fields and "
          "strings "
          "with formats are allowed.");
    }
    if (!seen.insert(found.path).second) path.duplicate();
  }
  if (seen.size() <= kMostSelectableFields) return;
  if (old.size() > kMostSelectableFields && old.same(fields)) return;
  fields.errors().push_back(field::too_many(fields.path(), seen.size(), kMostSelectableFields));
}

// --- Versions

void deprecation_rules(const Field& version) {
  const Field warning = version["deprecationWarning"];
  if (!warning.present()) return;
  const std::string printed = json_text(warning);
  if (!version["deprecated"].flag()) {
    return warning.invalid_printed(printed, "can only be set for deprecated versions");
  }
  const std::string_view text = warning.text();
  if (text.size() > 256) warning.invalid_printed(printed, "must be <= 256 characters long");
  if (text.empty()) warning.invalid_printed(printed, "must not be an empty string");
  for (std::size_t i = 0; i < text.size();) {
    const Rune rune = decode_rune(text.substr(i));
    if (!go_is_printable(rune.value)) {
      return warning.invalid_printed(printed,
                                     "must only contain printable UTF-8 characters; non-printable "
                                     "character found at index " +
                                         std::to_string(i));
    }
    i += rune.size;
  }
}

}  // namespace

Versions::Versions(const Field& spec, const Field& old) : spec_(spec), old_(old) {
  const Field versions = spec["versions"];
  for (int i = 0; i < 4; ++i) shared_[i] = is_shared(versions, kShared[i]);
  for (const Field version : versions.items()) {
    any_status_ = any_status_ || has_status(version["subresources"]);
  }
}

void Versions::require_schemas() const {
  const Field versions = spec_["versions"];
  for (const Field version : versions.items()) {
    const Field schema = version["schema"];
    if (!schema["openAPIV3Schema"].present()) schema["openAPIV3Schema"].required();
  }
}

void Versions::each() const {
  const Field versions = spec_["versions"];
  for (const Field version : versions.items()) {
    check_label(version["name"]);
    deprecation_rules(version);
    part(version, version, false, has_status(version["subresources"]));
  }
}

void Versions::list_rules() const {
  const Field versions = spec_["versions"];
  std::set<std::string_view> names;
  std::size_t stored = 0;
  for (const Field version : versions.items()) {
    names.insert(version.text_at("name"));
    if (version["storage"].flag()) ++stored;
  }
  if (names.size() < versions.size()) {
    versions.invalid_printed(printed(), "must contain unique version names");
  }
  if (stored != 1) {
    versions.invalid_printed(printed(), "must have exactly one version marked as storage version");
  }
  if (versions.empty()) return;
  const Field first = versions.item(0);
  check_label_or_empty(spec_.as("version", first["name"]));
}

void Versions::shared() const {
  const Field versions = spec_["versions"];
  if (versions.empty()) return;
  part(spec_, versions.item(0), true, any_status_);
}

void Versions::part(const Field& at, const Field& version, bool shared, bool status) const {
  const Field schema = at.as(shared ? "validation" : kShared[0], version[kShared[0]]);
  if (shared_[0] == shared) check_schema_of(schema, status);
  if (shared_[1] == shared) subresource_rules(at.as(kShared[1], version[kShared[1]]));
  if (shared_[2] == shared) {
    const Field columns = at.as(kShared[2], version[kShared[2]]);
    for (const Field column : columns.items()) column_rules(column);
  }
  if (shared_[3] == shared) selectable(at, version, schema, shared);
}

void Versions::selectable(const Field& at, const Field& version, const Field& schema,
                          bool shared) const {
  const Field fields = at.as(kShared[3], version[kShared[3]]);
  if (fields.empty()) return;
  if (shared_[0] != shared) {
    return fields.invalid_printed(
        "\"\"", shared ? "may only be set when validations.schema is included"
                       : "may only be set when `version.schema.openAPIV3Schema` is not included");
  }
  if (schema.find("openAPIV3Schema") == nullptr) return;
  selectable_rules(fields, schema, old_fields(version));
}

Field Versions::old_fields(const Field& version) const {
  const Field versions = old_["versions"];
  for (const Field before : versions.items()) {
    if (before.text_at("name") == version.text_at("name"))
      return spec_.with(before["selectableFields"]);
  }
  return spec_.with(old_["none"]);
}

std::string Versions::printed() const {
  json::Arena arena;
  Value list = Value::array(arena);
  const Field versions = spec_["versions"];
  if (versions.empty()) return "null";
  for (const Field version : versions.items()) {
    Value copy = version.value()->shallow_copy(arena);
    for (int i = 0; i < 4; ++i) {
      if (shared_[i]) copy.erase(kShared[i]);
    }
    list.push_back(
        arena, validation::internal_form(&copy,
                                         "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1."
                                         "CustomResourceDefinitionVersion",
                                         arena));
  }
  return codec::json_text(list);
}

}  // namespace tabernetes::registry::custom
