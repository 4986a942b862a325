// The annotation in which kubectl stores its client-side applied configuration, and its effect on
// server-side applies by kubectl. Source: spec/patch-apply.md 6.15.
#pragma once

#include <string_view>

#include "patch/field_manager.h"

namespace tabernetes::patch {

// The manager whose conflicts the annotation waives.
inline constexpr std::string_view kKubectl = "kubectl";

// Returns the fields that `live` has as in the annotation; kubectl may take them over from any
// manager. Empty without a usable annotation.
FieldSet fields_of_last_applied(const ObjectVersions& versions, const json::Value& live,
                                std::string_view api_version, json::Arena& arena);

// Returns `object` with its annotation, if present, set to `config`; removes it if all annotations
// would be too large.
json::Value with_last_applied(const json::Value& object, const json::Value& config,
                              json::Arena& arena);

}  // namespace tabernetes::patch
