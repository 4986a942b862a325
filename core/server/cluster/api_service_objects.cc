#include "server/cluster/api_service_objects.h"

#include <map>
#include <string_view>

#include "schema/schema.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kCore = "v1.";

}  // namespace

std::string api_services_manifest() {
  std::map<std::string, std::string> documents;  // by name
  for (const schema::Group& group : schema::Catalogue::built_in().groups()) {
    if (group.name == "apiregistration.k8s.io") continue;
    for (const schema::ServedVersion& version : group.versions) {
      if (!version.served_by_default) continue;
      std::string name(version.version);
      name.append(".").append(group.name);
      std::string text = R"({"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService",)"
                         R"("metadata":{"name":")" +
                         name +
                         R"(","labels":{"kube-aggregator.kubernetes.io/automanaged":"onstart"}},)"
                         R"("spec":{"group":")";
      text.append(group.name).append(R"(","version":")").append(version.version);
      text += R"(","groupPriorityMinimum":)" + std::to_string(group.priority) +
              R"(,"versionPriority":)" + std::to_string(version.priority) + "}}\n";
      documents[std::move(name)] = std::move(text);
    }
  }
  std::string all;
  for (const auto& [name, text] : documents) {
    if (name != kCore) all += text;
  }
  return all + documents[std::string(kCore)];  // last, as in our recording
}

}  // namespace tabernetes::server
