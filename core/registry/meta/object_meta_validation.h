// Validates an object's metadata on create and update: reports all faults, in upstream's order.
// Source: spec/lifecycle.md 1.8, 1.9, 2.2; upstream 1.36: apimachinery
// pkg/api/validation/objectmeta.go. Checks managedFields as far as decoding has not done it.
#pragma once

#include "base/api/field_error.h"
#include "json/value.h"
#include "registry/meta/name_constraints.h"
#include "registry/meta/subresource.h"

namespace tabernetes::registry {

struct MetaRules {
  bool namespaced = false;
  NameConstraints names = {};
  MetadataChecks passes = {};
};

// Validates `metadata` as it will be stored: with its generated name and its namespace. Null counts
// as empty. REQUIRES (here and below): members have the types of ObjectMeta.
field::ErrorList validate_object_meta(const json::Value& metadata, const MetaRules& rules);

// Validates `metadata` after the server-owned fields were restored (creationTimestamp, generation,
// an unset uid). Reports a fault as often as upstream lists it in the causes.
field::ErrorList validate_object_meta_update(const json::Value& metadata, const json::Value& old,
                                             const MetaRules& rules, Subresource subresource);
// Does the same without the kind's own checks.
field::ErrorList validate_any_meta_update(const json::Value& metadata, const json::Value& old);

// Validate the maps of any metadata, such as a pod template's. Null counts as empty.
void validate_labels(const json::Value& labels, const field::Path& path, field::ErrorList& errors);
void validate_annotations(const json::Value& annotations, const field::Path& path,
                          field::ErrorList& errors);

// Validates the name of a field manager: at most 128 bytes, all printable.
void validate_field_manager(std::string_view manager, const field::Path& path,
                            field::ErrorList& errors);

}  // namespace tabernetes::registry
