#include "auth/access_review.h"

#include "base/api/names.h"
#include "base/go/text.h"
#include "codec/json_writer.h"
#include "registry/selectors/field_selector.h"
#include "registry/selectors/label_selector.h"

namespace tabernetes::auth {
namespace {

using json::Value;

constexpr std::string_view kLabels = "labelSelector";
constexpr std::string_view kFields = "fieldSelector";

// Prints Go's type without JSON names.
std::string printed_path(const Value& attributes) {
  std::string text = "{\"Path\":";
  codec::write_json_string(attributes.string_at("path"), text);
  text += ",\"Verb\":";
  codec::write_json_string(attributes.string_at("verb"), text);
  return text + "}";
}

std::uint32_t size_at(const Value& object, std::string_view key) {
  const Value* list = object.find(key);
  return list == nullptr ? 0 : list->size();
}

bool takes_values(std::string_view op) { return op == "In" || op == "NotIn"; }
bool takes_none(std::string_view op) { return op == "Exists" || op == "DoesNotExist"; }

void validate_values(const Value& requirement, const field::Path& path, field::ErrorList& errors) {
  // Unknown operators are accepted.
  const std::string_view op = requirement.string_at("operator");
  const bool some = size_at(requirement, "values") > 0;
  if (takes_values(op) && !some) {
    errors.push_back(field::required(path.child("values"),
                                     "must be specified when `operator` is 'In' or 'NotIn'"));
  }
  if (takes_none(op) && some) {
    errors.push_back(
        field::forbidden(path.child("values"),
                         "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  }
}

void validate_label(const Value& requirement, const field::Path& path, field::ErrorList& errors) {
  validate_values(requirement, path, errors);
  const std::string_view key = requirement.string_at("key");
  for (const std::string& fault : qualified_name_faults(key)) {
    errors.push_back(field::invalid(path.child("key"), go_quote(key), fault));
  }
  const Value* values = requirement.find("values");
  if (values == nullptr) return;
  for (std::uint32_t i = 0; i < values->size(); ++i) {
    const std::string_view value = values->items()[i].as_string();
    for (const std::string& fault : label_value_faults(value)) {
      errors.push_back(field::invalid(path.child("values").index(i), go_quote(value), fault));
    }
  }
}

void validate_field(const Value& requirement, const field::Path& path, field::ErrorList& errors) {
  if (requirement.string_at("key").empty()) {
    errors.push_back(field::required(path.child("key"), "must be specified"));
  }
  validate_values(requirement, path, errors);
}

void validate_selector(const Value& attributes, std::string_view name, field::ErrorList& errors) {
  const Value* selector = attributes.find(name);
  if (selector == nullptr) return;
  const field::Path path = field::Path("spec.resourceAttributes").child(name);
  const std::string_view raw = selector->string_at("rawSelector");
  const std::uint32_t count = size_at(*selector, "requirements");
  if (!raw.empty() && count > 0) {
    errors.push_back(field::invalid(path.child("rawSelector"), go_quote(raw),
                                    "may not specified at the same time as requirements"));
  }
  if (raw.empty() && count == 0) {
    errors.push_back(field::required(
        path.child("requirements"),
        "when " + path.text() + " is specified, requirements or rawSelector is required"));
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const Value& requirement = selector->find("requirements")->items()[i];
    const field::Path at = path.child("requirements").index(i);
    name == kLabels ? validate_label(requirement, at, errors)
                    : validate_field(requirement, at, errors);
  }
}

void validate_spec(AccessReview kind, const Value& spec, field::ErrorList& errors) {
  const field::Path path("spec");
  const Value* resource = spec.find("resourceAttributes");
  const Value* other = spec.find("nonResourceAttributes");
  if (resource != nullptr && other != nullptr) {
    errors.push_back(field::invalid(path.child("nonResourceAttributes"), printed_path(*other),
                                    "cannot be specified in combination with resourceAttributes"));
  }
  if (resource == nullptr && other == nullptr) {
    errors.push_back(field::invalid(path.child("resourceAttributes"), "null",
                                    "exactly one of nonResourceAttributes or resourceAttributes "
                                    "must be specified"));
  }
  if (kind != AccessReview::kSelf && spec.string_at("user").empty() &&
      size_at(spec, "groups") == 0) {
    errors.push_back(field::invalid(path.child("user"), "\"\"",
                                    "at least one of user or group must be specified"));
  }
  if (resource == nullptr) return;
  validate_selector(*resource, kFields, errors);
  validate_selector(*resource, kLabels, errors);
}

// The metadata of a review must be empty, except for managedFields.
void validate_metadata(AccessReview kind, const Value& metadata, field::ErrorList& errors) {
  const bool local = kind == AccessReview::kLocal;
  for (const json::Member& member : metadata.members()) {
    if (member.key == "managedFields" || (local && member.key == "namespace")) continue;
    errors.push_back(
        field::invalid(field::Path("metadata"), codec::json_text(metadata),
                       local ? "must be empty except for namespace" : "must be empty"));
    return;
  }
}

void validate_locality(const Value& review, const Value& spec, field::ErrorList& errors) {
  const Value* resource = spec.find("resourceAttributes");
  if (resource != nullptr) {
    const std::string_view ns = resource->string_at("namespace");
    if (ns != review.find("metadata")->string_at("namespace")) {
      errors.push_back(field::invalid(field::Path("spec.resourceAttributes.namespace"),
                                      go_quote(ns), "must match metadata.namespace"));
    }
  }
  if (const Value* other = spec.find("nonResourceAttributes")) {
    errors.push_back(field::invalid(field::Path("spec.nonResourceAttributes"), printed_path(*other),
                                    "disallowed on this kind of request"));
  }
}

// Returns whether a valid requirement is also supported.
bool is_understood(const Value& requirement, std::string_view selector) {
  const std::string_view op = requirement.string_at("operator");
  if (selector == kLabels) return takes_values(op) || takes_none(op);
  return takes_values(op) && size_at(requirement, "values") == 1;
}

// Appends a value as field selectors escape it.
void append_escaped(std::string_view value, std::string& out) {
  for (const char c : value) {
    if (c == '\\' || c == ',' || c == '=') out += '\\';
    out += c;
  }
}

// Returns the field selector as a request would send it, without requirements that are not
// understood.
std::string selected_fields(const Value& attributes) {
  const Value* selector = attributes.find(kFields);
  if (selector == nullptr) return {};
  const Value* requirements = selector->find("requirements");
  if (requirements == nullptr) return std::string(selector->string_at("rawSelector"));
  std::string text;
  for (const Value& requirement : requirements->items()) {
    if (!is_understood(requirement, kFields)) continue;
    const bool equal = requirement.string_at("operator") == "In";
    text += text.empty() ? "" : ",";
    text.append(requirement.string_at("key")).append(equal ? "=" : "!=");
    append_escaped(requirement.find("values")->items()[0].as_string(), text);
  }
  return text;
}

// Returns the label selector in the same way.
std::string selected_labels(const Value& attributes) {
  const Value* selector = attributes.find(kLabels);
  if (selector == nullptr) return {};
  const Value* requirements = selector->find("requirements");
  if (requirements == nullptr) return std::string(selector->string_at("rawSelector"));
  std::string text;
  for (const Value& requirement : requirements->items()) {
    if (!is_understood(requirement, kLabels)) continue;
    const std::string_view op = requirement.string_at("operator");
    text += text.empty() ? "" : ",";
    text.append(op == "DoesNotExist" ? "!" : "").append(requirement.string_at("key"));
    if (takes_none(op)) continue;
    text += op == "In" ? " in (" : " notin (";
    const Value& values = *requirement.find("values");
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      text.append(i == 0 ? "" : ",").append(values.items()[i].as_string());
    }
    text += ')';
  }
  return text;
}

std::string ignored_selector(const Value& attributes, std::string_view name) {
  const Value* selector = attributes.find(name);
  if (selector == nullptr) return {};
  std::uint32_t understood = 0;
  std::uint32_t not_understood = 0;
  if (const Value* requirements = selector->find("requirements")) {
    for (const Value& requirement : requirements->items()) {
      ++(is_understood(requirement, name) ? understood : not_understood);
    }
  } else {
    const std::string_view raw = selector->string_at("rawSelector");
    const bool read = name == kLabels ? bool(registry::parse_label_selector(raw))
                                      : bool(registry::parse_field_selector(raw));
    not_understood = read ? 0 : 1;
  }
  if (not_understood == 0) return {};
  return "spec.resourceAttributes." + std::string(name) + (understood > 0 ? " partially" : "") +
         " ignored due to parse error";
}

}  // namespace

field::ErrorList validate_access_review(AccessReview kind, const Value& review) {
  field::ErrorList errors;
  const Value& spec = *review.find("spec");
  validate_spec(kind, spec, errors);
  validate_metadata(kind, *review.find("metadata"), errors);
  if (kind == AccessReview::kLocal) validate_locality(review, spec, errors);
  return errors;
}

User subject_of(const Value& spec) {
  User user{.name = std::string(spec.string_at("user")),
            .uid = std::string(spec.string_at("uid")),
            .groups = {},
            .extra = {}};
  if (const Value* groups = spec.find("groups")) {
    for (const Value& group : groups->items()) user.groups.emplace_back(group.as_string());
  }
  if (const Value* extra = spec.find("extra")) {
    for (const json::Member& member : extra->members()) {
      auto& [key, values] = user.extra.emplace_back(member.key, std::vector<std::string>());
      if (!member.value.is_array()) continue;
      for (const Value& value : member.value.items()) values.emplace_back(value.as_string());
    }
  }
  return user;
}

Attributes attributes_of(const User& user, const Value& spec) {
  Attributes attributes{.user = user};
  if (const Value* resource = spec.find("resourceAttributes")) {
    attributes.verb = resource->string_at("verb");
    attributes.group = resource->string_at("group");
    attributes.version = resource->string_at("version");
    if (attributes.version.empty()) attributes.version = "*";
    attributes.resource = resource->string_at("resource");
    attributes.subresource = resource->string_at("subresource");
    attributes.ns = resource->string_at("namespace");
    attributes.name = resource->string_at("name");
    attributes.field_selector = selected_fields(*resource);
    attributes.label_selector = selected_labels(*resource);
  } else {
    const Value& other = *spec.find("nonResourceAttributes");
    attributes.on_resource = false;
    attributes.verb = other.string_at("verb");
    attributes.path = other.string_at("path");
  }
  return attributes;
}

std::string ignored_selectors(const Value& spec) {
  const Value* attributes = spec.find("resourceAttributes");
  if (attributes == nullptr) return {};
  std::string fields = ignored_selector(*attributes, kFields);
  const std::string labels = ignored_selector(*attributes, kLabels);
  if (!fields.empty() && !labels.empty()) fields += "; ";
  return fields + labels;
}

}  // namespace tabernetes::auth
