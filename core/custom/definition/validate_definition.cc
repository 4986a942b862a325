#include "custom/definition/validate_definition.h"

#include <set>

#include "base/api/names.h"
#include "custom/definition/definition_approval.h"
#include "custom/definition/definition_conversion.h"
#include "custom/definition/definition_versions.h"
#include "custom/schema/label_faults.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;
using validation::Field;

void kind_or_empty(const Field& at) {
  if (at.text().empty()) return;
  const std::string faults = kind_errors(at.text());
  if (!faults.empty()) at.invalid(faults);
}

void names_rules(const Field& names) {
  check_label_or_empty(names["plural"]);
  check_label_or_empty(names["singular"]);
  kind_or_empty(names["kind"]);
  const Field list_kind = names["listKind"];
  kind_or_empty(list_kind);
  const Field short_names = names["shortNames"];
  for (const Field name : short_names.items()) check_label(name);
  if (!list_kind.text().empty() && names["kind"].is(list_kind.text())) {
    list_kind.invalid("kind and listKind may not be the same");
  }
  const Field categories = names["categories"];
  for (const Field name : categories.items()) check_label(name);
}

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

void spec_rules(const Field& spec, const Field& old, bool established) {
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
  check_conversion(spec, old, established);
}

void stored_version_rules(const Field& stored, const Field& versions) {
  if (stored.empty()) {
    return stored.invalid_printed("null", "must have at least one stored version");
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

// Checks that follow those of the spec, on create and update.
void rest_rules(const Field& object, const Field* old) {
  status_rules(object);
  const Field status = object["status"], spec = object["spec"];
  stored_version_rules(status["storedVersions"], spec["versions"]);
  check_api_approval(object, old);
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
  spec_rules(spec, none, false);
  rest_rules(object, nullptr);
}

void validate_definition_update(const Field& object, const Field& old) {
  const Field spec = object["spec"], old_spec = old["spec"];
  spec_rules(spec, old_spec, is_established(old));
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

}  // namespace tabernetes::registry::custom
