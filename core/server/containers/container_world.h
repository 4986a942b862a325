// What a simulated container finds around it: its environment, its files, who it is.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "auth/token_issuer.h"
#include "json/value.h"
#include "registry/kind/strategy.h"
#include "server/containers/container_files.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

inline constexpr registry::ObjectReader::Resource kWorldPods{"", "v1", "pods"};
inline constexpr registry::ObjectReader::Resource kWorldServices{"", "v1", "services"};
inline constexpr registry::ObjectReader::Resource kWorldAccounts{"", "v1", "serviceaccounts"};
inline constexpr registry::ObjectReader::Resource kWorldConfigMaps{"", "v1", "configmaps"};
inline constexpr registry::ObjectReader::Resource kWorldSecrets{"", "v1", "secrets"};

using Environment = std::vector<std::pair<std::string, std::string>>;

// What containers have written, by pod and by container or volume. It lives as long as the cluster
// is in memory; a restart of a container clears what is its own.
class WrittenInContainers {
 public:
  WrittenInContainers() = default;
  WrittenInContainers(const WrittenInContainers& other);  // copies
  WrittenInContainers& operator=(const WrittenInContainers&) = delete;

  // `started`: of the container's present run.
  std::shared_ptr<WrittenFiles> of_container(const json::Value& pod, std::string_view name,
                                             Time started);
  std::shared_ptr<WrittenFiles> of_volume(const json::Value& pod, std::string_view name);
  // Forgets the pods that are no more.
  void forget_gone(const registry::ObjectReader& objects);
  void clear() { pods_.clear(); }

 private:
  struct OfPod {
    std::string ns, name;
    std::map<std::string, std::pair<Time, std::shared_ptr<WrittenFiles>>, std::less<>> containers;
    std::map<std::string, std::shared_ptr<WrittenFiles>, std::less<>> volumes;
  };
  OfPod& of(const json::Value& pod);

  std::map<std::string, OfPod, std::less<>> pods_;  // by UID
};

// What a container is made of.
struct WorldSource {
  const json::Value& pod;
  const json::Value& spec;  // of the container
  const registry::ObjectReader& objects;
  const auth::TokenIssuer& tokens;
  WrittenInContainers& written;
  Time started;  // of the container
  Time now;
  json::Arena& arena;
};

struct ContainerWorld {
  Environment environment;
  ContainerFiles files;
  std::string hostname, user = "root", working_folder;
  std::int64_t uid = 0, gid = 0;
  std::vector<std::string> processes;  // command lines, the first has the number 1
};
ContainerWorld world_of(const WorldSource& source);

// Return parts of it.
Environment environment_of(const WorldSource& source);
ContainerFiles files_of(const WorldSource& source);

// Returns what a reference to a field of the pod means: `metadata.labels['app']`.
std::string pod_field(const json::Value& pod, std::string_view path);
// Returns what a reference to resources of a container means: limits.cpu and a divisor.
std::string resource_field(const json::Value& pod, const json::Value& spec,
                           const json::Value& reference);
// Returns the name by which the pod knows itself.
std::string hostname_of(const json::Value& pod);

}  // namespace tabernetes::server
