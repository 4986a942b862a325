// The annotation in which kubectl keeps what it applied from its own side, and what it means when
// kubectl applies on the server. Source: spec/patch-apply.md 6.15.
#pragma once

#include <string_view>

#include "patch/field_manager.h"

namespace tabernetes::patch {

// The manager whose conflicts the annotation waives.
inline constexpr std::string_view kKubectl = "kubectl";

// The fields that are in `live` as the annotation has them: kubectl may take them from whoever
// wrote them. Empty without a usable annotation.
FieldSet fields_of_last_applied(const ObjectVersions& versions, const json::Value& live,
                                std::string_view api_version, json::Arena& arena);

// `object`, the annotation that it has replaced by `config`; dropped where all annotations would be
// too large.
json::Value with_last_applied(const json::Value& object, const json::Value& config,
                              json::Arena& arena);

}  // namespace tabernetes::patch
