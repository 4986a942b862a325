#include "registry/crd/validate_definition.h"

#include <set>

#include "base/go_text.h"
#include "base/go_url.h"
#include "base/utf8.h"
#include "codec/json_writer.h"
#include "registry/crd/field_path.h"
#include "registry/crd/label_faults.h"
#include "registry/crd/rules.h"
#include "registry/crd/schema_rules.h"
#include "registry/names.h"
#include "registry/validation/checks.h"
#include "registry/validation/internal_form.h"

namespace tabernetes::registry::crd {
namespace {

using json::Value;
using validation::Field;
using validation::listed;

std::string json_text(const Field& field) {
  std::string text;
  codec::write_json(field.value() == nullptr ? Value() : *field.value(), text);
  return text;
}

// One error for all faults of a label that begins with a letter.
void label(const Field& at) {
  const std::string faults = label_faults(at.text());
  if (!faults.empty()) at.invalid(faults);
}

void label_or_empty(const Field& at) {
  if (!at.text().empty()) label(at);
}

void kind_or_empty(const Field& at) {
  if (at.text().empty()) return;
  const std::string faults = kind_faults(at.text());
  if (!faults.empty()) at.invalid(faults);
}

void names_rules(const Field& names) {
  label_or_empty(names["plural"]);
  label_or_empty(names["singular"]);
  kind_or_empty(names["kind"]);
  const Field list_kind = names["listKind"];
  kind_or_empty(list_kind);
  const Field short_names = names["shortNames"];
  for (const Field name : short_names.items()) label(name);
  if (!list_kind.text().empty() && names["kind"].is(list_kind.text())) {
    list_kind.invalid("kind and listKind may not be the same");
  }
  const Field categories = names["categories"];
  for (const Field name : categories.items()) label(name);
}

// --- What versions may have alike

constexpr std::string_view kShared[] = {"schema", "subresources", "additionalPrinterColumns",
                                        "selectableFields"};

// Whether all versions have the same at `member`, or none has it.
bool is_shared(const Field& versions, std::string_view member) {
  if (versions.empty()) return false;
  const Field first = versions.item(0);
  for (const Field version : versions.items()) {
    if (!version[member].same(first[member])) return false;
  }
  return true;
}

bool has_status(const Field& subresources) { return subresources.find("status") != nullptr; }

void schema_rules(const Field& schema, bool status_enabled) {
  const Field open_api = schema["openAPIV3Schema"];
  if (open_api.present()) check_rules(check_schema(open_api, status_enabled), open_api);
}

// --- Subresources, columns, selectable fields

bool is_simple_path(const Field& at, std::string_view printed) {
  if (at.text().starts_with('.')) return true;
  at.invalid_as(printed, "must be a simple json path starting with .");
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
  // The real server's paths have "scale.specReplicasPath" for one step.
  const Field scale = subresources.with(subresources["scale"]);
  if (!scale.present()) return;
  scale_path(scale, "specReplicasPath", ".spec");
  scale_path(scale, "statusReplicasPath", ".status");
  const Field selector = scale.as("scale.labelSelectorPath", scale["labelSelectorPath"]);
  if (selector.text().empty()) return;
  if (is_simple_path(selector, selector.printed()) && !selector.text().starts_with(".spec.") &&
      !selector.text().starts_with(".status.")) {
    selector.invalid_as(json_text(selector), "should be a json path under either .spec or .status");
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

// `old`: of the same version before an update; more than there may be are let pass if they stay.
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
    return warning.invalid_as(printed, "can only be set for deprecated versions");
  }
  const std::string_view text = warning.text();
  if (text.size() > 256) warning.invalid_as(printed, "must be <= 256 characters long");
  if (text.empty()) warning.invalid_as(printed, "must not be an empty string");
  for (std::size_t i = 0; i < text.size();) {
    const Rune rune = decode_rune(text.substr(i));
    if (!go_is_printable(rune.value)) {
      return warning.invalid_as(printed,
                                "must only contain printable UTF-8 characters; non-printable "
                                "character found at index " +
                                    std::to_string(i));
    }
    i += rune.size;
  }
}

class Versions {
 public:
  // `old` is without a value on create.
  Versions(const Field& spec, const Field& old) : spec_(spec), old_(old) {
    const Field versions = spec["versions"];
    for (int i = 0; i < 4; ++i) shared_[i] = is_shared(versions, kShared[i]);
    for (const Field version : versions.items()) {
      any_status_ = any_status_ || has_status(version["subresources"]);
    }
  }

  // What is said of versions before all else.
  void require_schemas() const {
    const Field versions = spec_["versions"];
    for (const Field version : versions.items()) {
      const Field schema = version["schema"];
      if (!schema["openAPIV3Schema"].present()) schema["openAPIV3Schema"].required();
    }
  }

  void each() const {
    const Field versions = spec_["versions"];
    for (const Field version : versions.items()) {
      label(version["name"]);
      deprecation_rules(version);
      part(version, version, false, has_status(version["subresources"]));
    }
  }

  void list_rules() const {
    const Field versions = spec_["versions"];
    std::set<std::string_view> names;
    std::size_t stored = 0;
    for (const Field version : versions.items()) {
      names.insert(version.text_at("name"));
      if (version["storage"].flag()) ++stored;
    }
    if (names.size() < versions.size()) {
      versions.invalid_as(printed(), "must contain unique version names");
    }
    if (stored != 1) {
      versions.invalid_as(printed(), "must have exactly one version marked as storage version");
    }
    if (versions.empty()) return;
    const Field first = versions.item(0);
    label_or_empty(spec_.as("version", first["name"]));
  }

  // What all versions have alike is part of the whole.
  void shared() const {
    const Field versions = spec_["versions"];
    if (versions.empty()) return;
    part(spec_, versions.item(0), true, any_status_);
  }

 private:
  // The parts of `version` that are shared or not, said of `at`.
  void part(const Field& at, const Field& version, bool shared, bool status) const {
    const Field schema = at.as(shared ? "validation" : kShared[0], version[kShared[0]]);
    if (shared_[0] == shared) schema_rules(schema, status);
    if (shared_[1] == shared) subresource_rules(at.as(kShared[1], version[kShared[1]]));
    if (shared_[2] == shared) {
      const Field columns = at.as(kShared[2], version[kShared[2]]);
      for (const Field column : columns.items()) column_rules(column);
    }
    if (shared_[3] == shared) selectable(at, version, schema, shared);
  }

  void selectable(const Field& at, const Field& version, const Field& schema, bool shared) const {
    const Field fields = at.as(kShared[3], version[kShared[3]]);
    if (fields.empty()) return;
    if (shared_[0] != shared) {
      return fields.invalid_as(
          "\"\"", shared ? "may only be set when validations.schema is included"
                         : "may only be set when `version.schema.openAPIV3Schema` is not included");
    }
    if (schema.find("openAPIV3Schema") == nullptr) return;
    selectable_rules(fields, schema, old_fields(version));
  }

  Field old_fields(const Field& version) const {
    const Field versions = old_["versions"];
    for (const Field before : versions.items()) {
      if (before.text_at("name") == version.text_at("name"))
        return spec_.with(before["selectableFields"]);
    }
    return spec_.with(old_["none"]);
  }

  // The versions in upstream's internal form: without what is shared.
  std::string printed() const {
    json::Arena arena;
    Value list = Value::array(arena);
    const Field versions = spec_["versions"];
    if (versions.empty()) return "null";
    for (const Field version : versions.items()) {
      Value copy = version.value()->shallow_copy(arena);
      for (int i = 0; i < 4; ++i) {
        if (shared_[i]) copy.erase(kShared[i]);
      }
      list.push_back(arena, validation::internal_form(
                                &copy,
                                "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1."
                                "CustomResourceDefinitionVersion",
                                arena));
    }
    std::string text;
    codec::write_json(list, text);
    return text;
  }

  const Field& spec_;
  const Field& old_;
  bool shared_[4] = {};
  bool any_status_ = false;
};

// --- Conversion

void run_check(std::string_view name, const Field& at) {
  validation::find_check(name)({at, nullptr, validation::Write::kCreate, at.value()});
}

void client_rules(const Field& client) {
  const Field url = client["url"], service = client["service"];
  if (url.present() == service.present()) {
    return client.required("exactly one of url or service is required");
  }
  if (url.present()) return run_check("webhook-url", url);
  // The real server takes one for the other.
  if (service.text_at("namespace").empty()) service["name"].required();
  if (service.text_at("name").empty()) service["namespace"].required();
  run_check("webhook-port", service["port"]);
  const Field path = service["path"];
  if (path.present()) run_check("webhook-path", path);
}

void review_version_rules(const Field& versions) {
  if (versions.empty()) return versions.required();
  std::set<std::string_view> seen;
  for (const Field version : versions.items()) {
    if (!seen.insert(version.text()).second) {
      version.invalid("duplicate version");
    } else {
      version.format(&dns1035_label_faults);
    }
  }
  if (!seen.contains("v1") && !seen.contains("v1beta1")) {
    versions.invalid("must include at least one of v1, v1beta1");
  }
}

void conversion_rules(const Field& spec) {
  const Field conversion = spec["conversion"];
  if (!conversion.present()) return;
  const Field strategy = conversion["strategy"];
  if (spec["preserveUnknownFields"].flag() && !strategy.is("None")) {
    strategy.invalid("must be None if spec.preserveUnknownFields is true");
  }
  strategy.require_one_of("None,Webhook");
  const Field webhook = conversion["webhook"];
  const Field client = conversion.as("webhookClientConfig", webhook["clientConfig"]);
  const Field versions =
      conversion.as("conversionReviewVersions", webhook["conversionReviewVersions"]);
  static constexpr std::string_view kDetail =
      "should not be set when strategy is not set to Webhook";
  if (!strategy.is("Webhook")) {
    if (client.present()) client.forbidden(kDetail);
    if (!versions.empty()) versions.forbidden(kDetail);
    return;
  }
  if (client.present()) {
    client_rules(client);
  } else {
    client.required("required when strategy is set to Webhook");
  }
  review_version_rules(versions);
}

// --- The whole

void group_rules(const Field& group) {
  if (!group.require()) return;
  std::string faults;
  for (const std::string& fault : dns1123_subdomain_faults(group.text())) {
    faults.append(faults.empty() ? "" : ",").append(fault);
  }
  if (!faults.empty()) {
    group.invalid(faults);
  } else if (group.text().find('.') == std::string_view::npos) {
    group.invalid("should be a domain with at least one dot");
  }
}

bool has_defaults(const Value& node) {
  if (node.is_object()) {
    if (node.find("default") != nullptr) return true;
    for (const json::Member& member : node.members()) {
      if (has_defaults(member.value)) return true;
    }
  } else if (node.is_array()) {
    for (const Value& item : node.items()) {
      if (has_defaults(item)) return true;
    }
  }
  return false;
}

void spec_rules(const Field& spec, const Field& old) {
  group_rules(spec["group"]);
  spec["scope"].require_one_of("Cluster,Namespaced");
  const Versions versions(spec, old);
  versions.require_schemas();
  const Field preserve = spec["preserveUnknownFields"];
  if (preserve.flag() && spec.find("versions") != nullptr && has_defaults(*spec.find("versions"))) {
    preserve.invalid("must be false in order to use defaults in the schema");
  }
  versions.each();
  versions.list_rules();
  const Field names = spec["names"];
  for (const std::string_view name : {"plural", "singular", "kind", "listKind"}) {
    names[name].require();
  }
  names_rules(names);
  versions.shared();
  conversion_rules(spec);
}

void stored_version_rules(const Field& stored, const Field& versions) {
  if (stored.empty()) {
    return stored.invalid_as("null", "must have at least one stored version");
  }
  std::set<std::string_view> missing;
  for (const Field each : stored.items()) missing.insert(each.text());
  for (const Field version : versions.items()) {
    const std::string_view name = version.text_at("name");
    if (missing.erase(name) == 0 && version["storage"].flag()) {
      stored.invalid("must have the storage version " + std::string(name));
    }
  }
  for (const Field each : stored.items()) {
    if (!missing.contains(each.text())) continue;
    const std::string name(each.text());
    each.invalid("missing from spec.versions; " + name +
                 " was previously a storage version, and must remain in spec.versions until a "
                 "storage migration ensures no data remains persisted in " +
                 name + " and removes " + name + " from status.storedVersions");
  }
}

// --- Groups of Kubernetes

constexpr std::string_view kApproval = "api-approved.kubernetes.io";

enum class Approval { kMissing, kBypassed, kApproved, kInvalid };

Approval approval_of(std::string_view annotation) {
  if (annotation.empty()) return Approval::kMissing;
  if (annotation.starts_with("unapproved")) return Approval::kBypassed;
  const std::size_t host = annotation.find("://");
  const bool url = is_go_request_uri(annotation) && host != std::string_view::npos && host > 0 &&
                   host + 3 < annotation.size() && annotation[host + 3] != '/';
  return url ? Approval::kApproved : Approval::kInvalid;
}

bool is_protected(std::string_view group) {
  return group == "k8s.io" || group.ends_with(".k8s.io") || group == "kubernetes.io" ||
         group.ends_with(".kubernetes.io");
}

void approval_rules(const Field& object, const Field* old) {
  if (!is_protected(object["spec"].text_at("group"))) return;
  const auto annotation_of = [](const Field& of) {
    const Value* text = of.value()->at({"metadata", "annotations", kApproval});
    return text != nullptr && text->is_string() ? text->as_string() : std::string_view();
  };
  const Approval approval = approval_of(annotation_of(object));
  if (old != nullptr && approval == approval_of(annotation_of(*old))) return;
  const Field metadata = object["metadata"];
  const Field annotations = metadata["annotations"];
  const Field annotation = annotations.key(kApproval);
  const std::string before =
      "protected groups must have approval annotation " + go_quote(kApproval);
  static constexpr std::string_view kSee =
      ", see https://github.com/kubernetes/enhancements/pull/1111";
  if (approval == Approval::kMissing) {
    annotation.required(before + std::string(kSee));
  } else if (approval == Approval::kInvalid) {
    annotation.invalid(before + " with either a URL or a reason starting with \"unapproved\"" +
                       std::string(kSee));
  }
}

void preserve_rules(const Field& object, const Field* old) {
  const Value* before =
      old == nullptr ? nullptr : old->value()->at({"spec", "preserveUnknownFields"});
  if (before != nullptr && before->is_bool() && before->as_bool()) return;
  const Field spec = object["spec"];
  const Field preserve = spec["preserveUnknownFields"];
  if (!preserve.flag()) return;
  preserve.invalid(
      "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in "
      "spec.versions[*].schema instead");
}

void status_rules(const Field& object) {
  const Field status = object["status"];
  names_rules(status["acceptedNames"]);
}

// What is checked behind the spec, on create and update.
void rest_rules(const Field& object, const Field* old) {
  status_rules(object);
  const Field status = object["status"], spec = object["spec"];
  stored_version_rules(status["storedVersions"], spec["versions"]);
  approval_rules(object, old);
  preserve_rules(object, old);
}

bool is_established(const Field& object) {
  const Field status = object["status"];
  const Field conditions = status["conditions"];
  for (const Field condition : conditions.items()) {
    if (condition.text_at("type") == "Established") return condition.text_at("status") == "True";
  }
  return false;
}

}  // namespace

void validate_definition(const Field& object) {
  const Field spec = object["spec"], metadata = object["metadata"];
  const std::string wanted =
      std::string(spec["names"].text_at("plural")) + "." + std::string(spec.text_at("group"));
  const Field name = metadata["name"];
  if (!name.is(wanted)) name.invalid("must be spec.names.plural+\".\"+spec.group");
  const Field none = object.with(object["none"]);
  spec_rules(spec, none);
  rest_rules(object, nullptr);
}

void validate_definition_update(const Field& object, const Field& old) {
  const Field spec = object["spec"], old_spec = old["spec"];
  spec_rules(spec, old_spec);
  const Field names = spec["names"], old_names = old_spec["names"];
  if (is_established(old)) {
    spec["scope"].immutable(old_spec["scope"], "\"\"");
    names["kind"].immutable(old_names["kind"], "\"\"");
  }
  spec["group"].immutable(old_spec["group"], "\"\"");
  names["plural"].immutable(old_names["plural"], "\"\"");
  rest_rules(object, &old);
}

void validate_definition_status(const Field& object, const Field&) { status_rules(object); }

}  // namespace tabernetes::registry::crd
