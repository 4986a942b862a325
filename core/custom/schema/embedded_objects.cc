#include "custom/schema/embedded_objects.h"

#include <algorithm>

#include "base/go/text.h"
#include "custom/schema/label_faults.h"
#include "custom/schema/printed_value.h"
#include "registry/meta/object_meta_validation.h"
#include "schema/decode.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;
using schema::Structural;

void check_api_version(const Value& value, const field::Path& place, field::ErrorList& errors) {
  if (!value.is_string()) {
    errors.push_back(field::invalid(place, format_value(value), "must be a string"));
    return;
  }
  const std::string_view text = value.as_string();
  if (text.empty()) {
    errors.push_back(field::invalid(place, "\"\"", "must not be empty"));
  } else if (std::count(text.begin(), text.end(), '/') > 1) {
    errors.push_back(field::invalid(place, go_quote(text),
                                    "unexpected GroupVersion string: " + std::string(text)));
  }
}

void check_kind(const Value& value, const field::Path& place, field::ErrorList& errors) {
  if (!value.is_string()) {
    errors.push_back(field::invalid(place, format_value(value), "must be a string"));
    return;
  }
  const std::string_view text = value.as_string();
  if (text.empty()) {
    errors.push_back(field::invalid(place, "\"\"", "must not be empty"));
    return;
  }
  const std::string faults = kind_errors(text);
  if (!faults.empty()) errors.push_back(field::invalid(place, go_quote(text), faults));
}

// Checks the metadata of an embedded object. The name may be missing, or any path segment.
void check_metadata(const Value& value, const field::Path& path, field::ErrorList& errors) {
  const field::Path place = path.child("metadata");
  json::Arena arena;
  schema::DecodeResult read =
      schema::decode_typed(schema::Catalogue::built_in().object_meta(), value, arena);
  if (!read.error.empty()) {
    errors.push_back(field::invalid(place, format_value(value), read.error));
    return;
  }
  if (read.value.string_at("name").empty()) {
    read.value.set(arena, "name", Value::string("fakename"));
  }
  const MetaRules rules{.namespaced = !read.value.string_at("namespace").empty(),
                        .names = {NameFormat::kPathSegment}};
  for (field::Error& error : validate_object_meta(read.value, rules)) {
    if (!path.text().empty()) error.field = path.text() + "." + error.field;
    errors.push_back(std::move(error));
  }
}

void check_object(const Value& object, const field::Path& path, field::ErrorList& errors) {
  for (const std::string_view name : {"apiVersion", "kind"}) {
    if (object.find(name) == nullptr) errors.push_back(field::required(path.child(name)));
  }
  if (const Value* version = object.find("apiVersion")) {
    check_api_version(*version, path.child("apiVersion"), errors);
  }
  if (const Value* kind = object.find("kind")) check_kind(*kind, path.child("kind"), errors);
  if (const Value* metadata = object.find("metadata")) check_metadata(*metadata, path, errors);
}

void check_members(const Value& object, const Structural& schema, const field::Path& path,
                   field::ErrorList& errors) {
  for (const json::Member& member : object.members()) {
    const Structural* declared = schema.property(member.key);
    const Structural* below = declared != nullptr ? declared : schema.additional;
    if (below == nullptr || !below->has_embedded) continue;
    validate_embedded(member.value, *below, schema::Whole::kPart,
                      declared != nullptr ? path.child(member.key) : path.key(member.key), errors);
  }
}

}  // namespace

void validate_embedded(const Value& value, const Structural& schema, schema::Whole whole,
                       const field::Path& path, field::ErrorList& errors) {
  if (value.is_object()) {
    if (whole == schema::Whole::kObject || schema.embedded) check_object(value, path, errors);
    if (schema.has_embedded) check_members(value, schema, path, errors);
  } else if (value.is_array() && schema.items != nullptr && schema.items->has_embedded) {
    for (std::uint32_t i = 0; i < value.size(); ++i) {
      validate_embedded(value.items()[i], *schema.items, schema::Whole::kPart, path.index(i),
                        errors);
    }
  }
}

}  // namespace tabernetes::registry::custom
