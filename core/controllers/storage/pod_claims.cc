#include "controllers/storage/pod_claims.h"

#include "controllers/shared/objects.h"
#include "json/access.h"

namespace tabernetes::controllers {

std::vector<std::string> claims_of(const json::Value& pod) {
  std::vector<std::string> names;
  for (const json::Value& volume : items_at(pod, {"spec", "volumes"})) {
    const std::string_view name = text_at(volume, {"persistentVolumeClaim", "claimName"});
    if (!name.empty()) {
      names.emplace_back(name);
    } else if (volume.find("ephemeral") != nullptr) {
      names.push_back(std::string(name_of(pod)) + "-" + std::string(volume.string_at("name")));
    }
  }
  return names;
}

}  // namespace tabernetes::controllers
