// AlwaysPullImages: every container pulls its image. Source: upstream 1.36
// plugin/pkg/admission/alwayspullimages.

#include <algorithm>
#include <string>
#include <vector>

#include "admission/plugins.h"
#include "admission/request.h"
#include "base/api/field_error.h"
#include "base/go/text.h"
#include "json/access.h"
#include "registry/kind/write_context.h"

namespace tabernetes::admission {
namespace {

using json::Value;

constexpr std::string_view kLists[] = {"initContainers", "containers", "ephemeralContainers"};

std::vector<std::string_view> images_of(const Value& pod) {
  std::vector<std::string_view> images;
  for (const std::string_view list : kLists) {
    for (const Value& container : items_at(pod, {"spec", list})) {
      images.push_back(container.string_at("image"));
    }
  }
  return images;
}

// Returns true for an update without an image that the pod did not have.
bool keeps_images(const AdmissionRequest& request) {
  if (request.old == nullptr) return false;
  const std::vector<std::string_view> before = images_of(*request.old);
  for (const std::string_view image : images_of(request.object)) {
    if (std::find(before.begin(), before.end(), image) == before.end()) return false;
  }
  return true;
}

}  // namespace

Result<void> pull_always(const AdmissionRequest& request, PluginState&) {
  if (keeps_images(request)) return {};
  json::Arena& arena = request.context.arena;
  for (const std::string_view list : kLists) {
    for (Value& container : items_at(request.object, {"spec", list})) {
      if (container.is_object()) {
        container.set(arena, "imagePullPolicy", Value::string("Always"));
      }
    }
  }
  for (const Value& volume : items_at(request.object, {"spec", "volumes"})) {
    if (Value* image = volume.find("image"); image != nullptr && image->is_object()) {
      image->set(arena, "pullPolicy", Value::string("Always"));
    }
  }
  return {};
}

Result<void> check_pulls_always(const AdmissionRequest& request, PluginState&) {
  if (keeps_images(request)) return {};
  std::vector<std::string> errors;
  const auto check = [&](std::string_view policy, const std::string& path) {
    if (policy == "Always") return;
    errors.push_back(refusal(request, path + ": Unsupported value: " + go_quote(policy) +
                                          ": supported values: \"Always\"")
                         ->message);
  };
  for (const std::string_view list : kLists) {
    std::size_t index = 0;
    for (const Value& container : items_at(request.object, {"spec", list})) {
      check(container.string_at("imagePullPolicy"),
            "spec." + std::string(list) + "[" + std::to_string(index++) + "].imagePullPolicy");
    }
  }
  std::size_t index = 0;
  for (const Value& volume : items_at(request.object, {"spec", "volumes"})) {
    const std::size_t at = index++;
    if (const Value* image = volume.find("image"); image != nullptr && image->is_object()) {
      check(image->string_at("pullPolicy"),
            "spec.volumes[" + std::to_string(at) + "].image.pullPolicy");
    }
  }
  if (errors.empty()) return {};
  return errors::plain_error(go_aggregate(errors));
}

}  // namespace tabernetes::admission
