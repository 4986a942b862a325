#include "registry/meta/object_meta_validation.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/api/names.h"
#include "base/go/text.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "codec/json_writer.h"
#include "json/access.h"
#include "json/equality.h"

namespace tabernetes::registry {
namespace {

using field::ErrorList;
using json::Value;

constexpr std::size_t kMaxAnnotationBytes = 256 * 1024;
constexpr std::size_t kMaxFieldManager = 128;
constexpr std::size_t kMaxSubresource = 256;
constexpr std::string_view kOrphan = "orphan";
constexpr std::string_view kForeground = "foregroundDeletion";

field::Path metadata_path() { return field::Path("metadata"); }

const Value& member(const Value& object, std::string_view key) {
  static const Value kNull;
  const Value* found = object.is_object() ? object.find(key) : nullptr;
  return found == nullptr ? kNull : *found;
}

std::vector<std::string_view> strings_of(const Value& list) {
  std::vector<std::string_view> texts;
  if (!list.is_array()) return texts;
  for (const Value& item : list.items()) texts.push_back(text_of(item));
  return texts;
}

void add_invalid(ErrorList& errors, const field::Path& path, std::string_view value,
                 const Faults& faults) {
  for (const std::string& fault : faults) {
    errors.push_back(field::invalid(path, go_quote(value), fault));
  }
}

// Adds faults of a member of metadata. Builds the path only if there is a fault.
void add_invalid_at(std::string_view name, std::string_view value, const Faults& faults,
                    ErrorList& errors) {
  if (!faults.empty()) add_invalid(errors, metadata_path().child(name), value, faults);
}

void validate_names(const Value& metadata, const NameConstraints& constraints, ErrorList& errors) {
  const std::string_view prefix = text_of(member(metadata, "generateName"));
  if (!prefix.empty()) {
    add_invalid_at("generateName", prefix, name_prefix_faults(constraints, prefix), errors);
  }
  const std::string_view name = text_of(member(metadata, "name"));
  if (name.empty()) {
    errors.push_back(
        field::required(metadata_path().child("name"), "name or generateName is required"));
  } else {
    add_invalid_at("name", name, name_faults(constraints, name), errors);
  }
}

void validate_namespace(const Value& metadata, bool namespaced, ErrorList& errors) {
  constexpr std::string_view kName = "namespace";
  const std::string_view name = text_of(member(metadata, kName));
  if (!namespaced) {
    if (name.empty()) return;
    errors.push_back(field::forbidden(metadata_path().child(kName), "not allowed on this type"));
  } else if (name.empty()) {
    errors.push_back(field::required(metadata_path().child(kName)));
  } else {
    add_invalid_at(kName, name, dns1123_label_faults(name), errors);
  }
}

void validate_generation(const Value& metadata, ErrorList& errors) {
  const Value& generation = member(metadata, "generation");
  if (generation.is_int() && generation.as_int() < 0) {
    errors.push_back(field::invalid(metadata_path().child("generation"),
                                    codec::json_text(generation),
                                    "must be greater than or equal to 0"));
  }
}

// Returns an OwnerReference as Go prints it: the members in the order of the struct.
Value printed_owner(json::Arena& arena, const Value& owner) {
  Value printed = Value::object(arena);
  for (const std::string_view key : {"apiVersion", "kind", "name", "uid"}) {
    printed.append(arena, key, Value::string(text_of(member(owner, key))));
  }
  for (const std::string_view key : {"controller", "blockOwnerDeletion"}) {
    if (const Value& flag = member(owner, key); flag.is_bool()) printed.append(arena, key, flag);
  }
  return printed;
}

// Returns the version of `group/version` or `version`; empty for other texts.
std::string_view version_of(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return api_version;
  const std::string_view version = api_version.substr(slash + 1);
  return version.find('/') == std::string_view::npos ? version : std::string_view();
}

void validate_owner(const Value& owner, const field::Path& path, ErrorList& errors) {
  const auto want = [&](std::string_view key, std::string_view value, const char* fault) {
    if (!value.empty()) return;
    const std::string_view sent = text_of(member(owner, key));
    errors.push_back(field::invalid(path.child(key), go_quote(sent), fault));
  };
  const std::string_view api_version = text_of(member(owner, "apiVersion"));
  want("apiVersion", version_of(api_version), "version must not be empty");
  for (const std::string_view key : {"kind", "name", "uid"}) {
    want(key, text_of(member(owner, key)), "must not be empty");
  }
  if (api_version == "v1" && text_of(member(owner, "kind")) == "Event") {
    json::Arena arena;
    errors.push_back(field::invalid(path, codec::json_text(printed_owner(arena, owner)),
                                    "/v1, Kind=Event is disallowed from being an owner"));
  }
}

void validate_owners(const Value& owners, ErrorList& errors) {
  if (!owners.is_array()) return;
  const field::Path path = metadata_path().child("ownerReferences");
  std::string first_controller;
  for (const Value& owner : owners.items()) {
    validate_owner(owner, path, errors);
    const Value& controller = member(owner, "controller");
    if (!controller.is_bool() || !controller.as_bool()) continue;
    const std::string name = std::string(text_of(member(owner, "kind"))) + "/" +
                             std::string(text_of(member(owner, "name")));
    if (first_controller.empty()) {
      first_controller = name;
      continue;
    }
    json::Arena arena;
    Value printed = Value::array(arena);
    for (const Value& each : owners.items()) printed.push_back(arena, printed_owner(arena, each));
    std::string fault = "Only one reference can have Controller set to true. ";
    fault.append("Found \"true\" in references for ");
    fault.append(first_controller).append(" and ").append(name);
    errors.push_back(field::invalid(path, codec::json_text(printed), fault));
  }
}

// Returns "U+0085".
std::string code_point(char32_t rune) {
  std::string digits;
  for (; rune != 0 || digits.size() < 4; rune >>= 4) {
    digits.insert(digits.begin(), kUpperHexDigits[rune & 15]);
  }
  return "U+" + digits;
}

// Fast path for ASCII text: avoids building a path for each entry.
bool is_field_manager(std::string_view manager) {
  return manager.size() <= kMaxFieldManager &&
         std::all_of(manager.begin(), manager.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

void validate_managers(const Value& entries, ErrorList& errors) {
  if (!entries.is_array()) return;
  const auto path = [](std::uint32_t i) { return metadata_path().child("managedFields").index(i); };
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    const Value& entry = entries.items()[i];
    const std::string_view manager = text_of(member(entry, "manager"));
    if (!is_field_manager(manager)) {
      validate_field_manager(manager, path(i).child("manager"), errors);
    }
    if (text_of(member(entry, "subresource")).size() > kMaxSubresource) {
      errors.push_back(field::too_long(path(i).child("subresource"), kMaxSubresource));
    }
  }
}

void validate_finalizers(const Value& finalizers, ErrorList& errors) {
  const std::vector<std::string_view> names = strings_of(finalizers);
  for (const std::string_view name : names) {
    add_invalid_at("finalizers", name, qualified_name_faults(name), errors);
  }
  const auto has = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (has(kOrphan) && has(kForeground)) {
    errors.push_back(field::invalid(metadata_path().child("finalizers"),
                                    codec::json_text(finalizers),
                                    "finalizer orphan and foregroundDeletion cannot be both set"));
  }
}

// Checks that finalizers contain a slash or are standard ones, as built-in kinds require.
void validate_qualified_finalizers(const Value& finalizers, ErrorList& errors) {
  const std::vector<std::string_view> names = strings_of(finalizers);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i];
    if (name.find('/') != std::string_view::npos) continue;
    if (name == "kubernetes" || name == kOrphan || name == kForeground) continue;
    errors.push_back(
        field::invalid(metadata_path().child("finalizers").index(i), go_quote(name),
                       "name is neither a standard finalizer name nor is it fully qualified"));
  }
}

void validate_maps_and_owners(const Value& metadata, ErrorList& errors) {
  validate_labels(member(metadata, "labels"), metadata_path().child("labels"), errors);
  validate_annotations(member(metadata, "annotations"), metadata_path().child("annotations"),
                       errors);
  validate_owners(member(metadata, "ownerReferences"), errors);
}

void validate_no_new_finalizers(const Value& metadata, const Value& old, ErrorList& errors) {
  const std::vector<std::string_view> before = strings_of(member(old, "finalizers"));
  std::vector<std::string_view> added;
  for (const std::string_view name : strings_of(member(metadata, "finalizers"))) {
    if (std::find(before.begin(), before.end(), name) == before.end()) added.push_back(name);
  }
  if (added.empty()) return;
  sort_stable(added);
  added.erase(std::unique(added.begin(), added.end()), added.end());
  std::string list;
  for (const std::string_view name : added) {
    if (!list.empty()) list += ", ";
    list += go_quote(name);
  }
  errors.push_back(field::forbidden(metadata_path().child("finalizers"),
                                    "no new finalizers can be added if the object is being "
                                    "deleted, found new finalizers []string{" +
                                        list + "}"));
}

void validate_immutable(const Value& metadata, const Value& old, std::string_view key,
                        ErrorList& errors) {
  const Value& now = member(metadata, key);
  const Value& before = member(old, key);
  if (now.is_string() || before.is_string()) {
    if (text_of(now) == text_of(before)) return;
  } else if (json::deep_equal(now, before)) {
    return;
  }
  const std::string printed = now.is_string() ? go_quote(now.as_string()) : codec::json_text(now);
  errors.push_back(field::invalid(metadata_path().child(key), printed, field::kImmutable));
}

// Checks the parts of a new object's metadata that updates check again.
void validate_contents(const Value& metadata, ErrorList& errors) {
  validate_maps_and_owners(metadata, errors);
  validate_finalizers(member(metadata, "finalizers"), errors);
  validate_managers(member(metadata, "managedFields"), errors);
}

void validate_update(const Value& metadata, const Value& old, ErrorList& errors) {
  if (member(old, "deletionTimestamp").is_string()) {
    validate_no_new_finalizers(metadata, old, errors);
  }
  for (const std::string_view key :
       {"name", "namespace", "uid", "deletionTimestamp", "deletionGracePeriodSeconds"}) {
    validate_immutable(metadata, old, key, errors);
  }
  validate_maps_and_owners(metadata, errors);
  validate_managers(member(metadata, "managedFields"), errors);
}

}  // namespace

ErrorList validate_object_meta(const Value& metadata, const MetaRules& rules) {
  ErrorList errors;
  validate_names(metadata, rules.names, errors);
  validate_namespace(metadata, rules.namespaced, errors);
  validate_generation(metadata, errors);
  validate_contents(metadata, errors);
  if (rules.passes.create == "CF") {
    validate_qualified_finalizers(member(metadata, "finalizers"), errors);
  }
  return errors;
}

ErrorList validate_any_meta_update(const Value& metadata, const Value& old) {
  ErrorList errors;
  validate_contents(metadata, errors);
  validate_update(metadata, old, errors);
  return errors;
}

ErrorList validate_object_meta_update(const Value& metadata, const Value& old,
                                      const MetaRules& rules, Subresource subresource) {
  const MetadataChecks& own = rules.passes;
  ErrorList errors = validate_any_meta_update(metadata, old);
  for (const char pass : subresource == Subresource::kNone ? own.update : own.update_subresource) {
    if (pass == 'C') validate_contents(metadata, errors);
    if (pass == 'U') validate_update(metadata, old, errors);
    if (pass == 'F') validate_qualified_finalizers(member(metadata, "finalizers"), errors);
  }
  return errors;
}

void validate_field_manager(std::string_view manager, const field::Path& path, ErrorList& errors) {
  if (manager.size() > kMaxFieldManager) {
    errors.push_back(field::too_long(path, kMaxFieldManager));
  }
  for (std::size_t i = 0; i < manager.size();) {
    const Rune rune = decode_rune(manager.substr(i));
    if (!go_is_printable(rune.value)) {
      errors.push_back(field::invalid(path, go_quote(manager),
                                      "invalid character " + code_point(rune.value) +
                                          " (at position " + std::to_string(i) + ")"));
      break;
    }
    i += rune.size;
  }
}

void validate_labels(const Value& labels, const field::Path& path, ErrorList& errors) {
  if (!labels.is_object()) return;
  for (const json::Member& label : labels.members()) {
    add_invalid(errors, path, label.key, qualified_name_faults(label.key));
    add_invalid(errors, path, text_of(label.value), label_value_faults(text_of(label.value)));
  }
}

void validate_annotations(const Value& annotations, const field::Path& path, ErrorList& errors) {
  if (!annotations.is_object()) return;
  std::size_t bytes = 0;
  for (const json::Member& annotation : annotations.members()) {
    // Keys of annotations are checked case-insensitively.
    add_invalid(errors, path, annotation.key, qualified_name_faults(ascii_lower(annotation.key)));
    bytes += annotation.key.size() + text_of(annotation.value).size();
  }
  if (bytes > kMaxAnnotationBytes) errors.push_back(field::too_long(path, kMaxAnnotationBytes));
}

}  // namespace tabernetes::registry
