// Checks of an object's metadata on create and update: all faults, in the server's order.
// Source: spec/lifecycle.md 1.8, 1.9, 2.2; upstream 1.36: apimachinery
// pkg/api/validation/objectmeta.go. Of managedFields only what a
// reader of entries lets pass.
#pragma once

#include "base/field_error.h"
#include "json/value.h"
#include "registry/meta/name_rules.h"
#include "registry/meta/part.h"

namespace tabernetes::registry {

struct MetaRules {
  bool namespaced = false;
  NameRules names = {};
  MetaPasses passes = {};
};

// `metadata` as it will be stored: name generated, namespace filled in. Null: there is none.
// REQUIRES (here and below): members have the types of ObjectMeta.
field::ErrorList validate_object_meta(const json::Value& metadata, const MetaRules& rules);

// `metadata` after the server has put back what it owns (creationTimestamp, generation, an unset
// uid). A fault is listed as often as upstream lists it in the causes.
field::ErrorList validate_object_meta_update(const json::Value& metadata, const json::Value& old,
                                             const MetaRules& rules, Part part);
// The same without what the kind itself checks again.
field::ErrorList validate_any_meta_update(const json::Value& metadata, const json::Value& old);

// The maps of any metadata, such as that of a pod template. Null: there is none.
void validate_labels(const json::Value& labels, const field::Path& path, field::ErrorList& errors);
void validate_annotations(const json::Value& annotations, const field::Path& path,
                          field::ErrorList& errors);

// Who says to own what is written: at most 128 bytes that can be printed.
void validate_field_manager(std::string_view manager, const field::Path& path,
                            field::ErrorList& errors);

}  // namespace tabernetes::registry
