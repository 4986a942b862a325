// AppArmor profiles of containers, in fields and in the annotations that preceded them.
#pragma once

#include <string_view>

#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

inline constexpr std::string_view kAppArmor = "container.apparmor.security.beta.kubernetes.io/";
inline constexpr std::string_view kUseAppArmor =
    "deprecated since v1.30; use the \"appArmorProfile\" field instead";

// The profile in a container's annotation: its type, and its name if it is a localhost profile; the
// type is empty for other texts.
struct Profile {
  std::string_view type, name;
};
Profile profile_of(std::string_view annotation);

bool is_profile(const json::Value* field, const Profile& profile);
// Returns the profile of a pod's spec or of a container; null if there is none.
const json::Value* app_armor_of(const json::Value& holder);

// Copies AppArmor annotations to the containers' fields, with a warning. Source: upstream 1.36
// pkg/registry/core/pod/strategy.go, applyAppArmorVersionSkew.
void copy_app_armor_annotations(const HookContext& context, json::Value& pod);

}  // namespace tabernetes::registry::kinds
