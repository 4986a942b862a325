// What persistent volumes and claims share.
#pragma once

#include <string>
#include <string_view>

#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

// Returns "RWO,RWX": without duplicates, in a fixed order.
std::string access_modes_text(json::Range<json::Value> modes);
std::string_view volume_status(const json::Value& object);
// Returns the class; the annotation that preceded the field takes precedence.
std::string_view storage_class_of(const json::Value& object);
std::string capacity_text(const json::Value* quantity);

inline constexpr std::string_view kClassAnnotation = "volume.beta.kubernetes.io/storage-class";
inline constexpr std::string_view kUseClass =
    "deprecated since v1.8; use \"storageClassName\" attribute instead";
void warn_of_annotation(const Field& object, std::string_view key, std::string_view text,
                        Warnings& out);

// Returns the difference that upstream appends to its message.
std::string shown_difference(const json::Value& old, const json::Value& now, std::string_view type);

}  // namespace tabernetes::registry::kinds
