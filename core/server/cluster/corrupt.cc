#include "server/cluster/corrupt.h"

#include <memory>
#include <vector>

#include "registry/objects/object_record.h"
#include "server/http/request_info.h"
#include "server/request/readable.h"

namespace tabernetes::server {

Expected<void> corrupt(Cluster& cluster, std::string_view path) {
  const std::vector<std::string> segments = path_segments(path);
  const bool core = segments.size() > 2 && segments[0] == "api";
  const bool grouped = segments.size() > 3 && segments[0] == "apis";
  const ResourcePath named = core || grouped ? parse_resource_path(segments) : ResourcePath();
  const registry::ResourceType* type =
      cluster.registry.resources().find(named.group, named.version, named.resource);
  const std::string key = type == nullptr ? "" : type->key(named.ns, named.name);
  const store::RecordPtr record = cluster.store.get(key);
  if (!record) return Fault{"there is no object at " + std::string(path)};
  const auto make = [&](store::Revision) {
    auto copy = std::make_shared<registry::ObjectRecord>(
        static_cast<const registry::ObjectRecord&>(*record));
    if (!is_corrupt(*copy)) copy->bytes += ' ';
    return copy;
  };
  (void)cluster.store.put({.key = key, .expected = record->revision, .make = make});
  return {};
}

}  // namespace tabernetes::server
