#include "server/discovery/index.h"

#include <set>
#include <string>

#include "codec/json_writer.h"
#include "json/build.h"
#include "server/discovery/discovery.h"
#include "server/discovery/health.h"

namespace tabernetes::server {
namespace {

// As a real server lists them, even if little is implemented there.
constexpr std::string_view kFixedPaths[] = {
    "/.well-known/openid-configuration",
    "/api",
    "/api/v1",
    "/apis",
    "/apis/",
    "/flagz",
    "/metrics",
    "/metrics/slis",
    "/openapi/v2",
    "/openapi/v3",
    "/openapi/v3/",
    "/openid/v1/jwks",
    "/statusz",
    "/version",
};

}  // namespace

TextResponse answer_index(const Groups& groups, bool over_etcd) {
  std::set<std::string> paths(std::begin(kFixedPaths), std::end(kFixedPaths));
  for (std::string& path : health_paths(over_etcd)) paths.insert(std::move(path));
  for (const schema::Group* each : groups) {
    const schema::Group& group = *each;
    if (group.name.empty()) continue;
    const std::string root = "/apis/" + std::string(group.name);
    for (const schema::ServedVersion* version : served_versions(group)) {
      paths.insert(root);
      paths.insert(root + "/" + std::string(version->version));
    }
  }

  json::Arena arena;
  json::Value document = json::Value::object(arena);
  document.append(arena, "paths", json::string_array(paths, arena));
  TextResponse answer{200, kApplicationJson, "", false};
  codec::write_json_pretty(document, answer.body);
  return answer;
}

}  // namespace tabernetes::server
