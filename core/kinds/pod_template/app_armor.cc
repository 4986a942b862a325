// AppArmor profiles of containers, in fields and in the annotations that preceded them. Source:
// upstream 1.36 pkg/api/pod/warnings.go, pkg/registry/core/pod/strategy.go.
#include "kinds/pod_template/app_armor.h"

#include <string>

#include "base/go/text.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

constexpr std::string_view kLists[] = {"initContainers", "containers", "ephemeralContainers"};

}  // namespace

Profile profile_of(std::string_view annotation) {
  constexpr std::string_view kLocalPrefix = "localhost/";
  if (annotation == "unconfined") return {"Unconfined", {}};
  if (annotation == "runtime/default") return {"RuntimeDefault", {}};
  if (!annotation.starts_with(kLocalPrefix) || annotation.size() == kLocalPrefix.size()) return {};
  return {"Localhost", annotation.substr(kLocalPrefix.size())};
}

bool is_profile(const Value* field, const Profile& profile) {
  return field != nullptr && !profile.type.empty() && field->string_at("type") == profile.type &&
         field->string_at("localhostProfile") == profile.name;
}

const Value* app_armor_of(const Value& holder) {
  return holder.at({"securityContext", "appArmorProfile"});
}

void copy_app_armor_annotations(const HookContext& context, Value& pod) {
  json::Arena& arena = context.arena;
  const Value* annotations = pod.at({"metadata", "annotations"});
  const Value* spec = pod.find("spec");
  if (annotations == nullptr || spec == nullptr || text_at(*spec, {"os", "name"}) == "windows") {
    return;
  }
  for (const std::string_view list : kLists) {
    for (Value& container : items_in(*spec, list)) {
      const std::string key = std::string(kAppArmor) + std::string(container.string_at("name"));
      if (annotations->find(key) == nullptr || app_armor_of(container) != nullptr) continue;
      const Profile profile = profile_of(annotations->string_at(key));
      const bool valid = !profile.type.empty() && profile.name.size() <= 4095 &&
                         go_trim_space(profile.name) == profile.name;
      if (valid && is_profile(app_armor_of(*spec), profile)) continue;
      if (context.warnings != nullptr) {
        context.warnings->push_back("metadata.annotations[" + key +
                                    "]: " + std::string(kUseAppArmor));
      }
      if (!valid) continue;
      Value field = Value::object(arena);
      field.append(arena, "type", Value::string(profile.type));
      if (!profile.name.empty())
        field.append(arena, "localhostProfile", Value::string(profile.name));
      object_or_new(container, "securityContext", arena).set(arena, "appArmorProfile", field);
    }
  }
}

}  // namespace tabernetes::registry::kinds
