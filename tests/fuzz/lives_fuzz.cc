// A seed: a random object of a kind merged into a valid one. It is created, then used to replace an
// existing object, and as its status: covers defaults, admission and validation of every kind. The
// first byte selects the kind, the second the size.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "../property/representations/least_objects.h"
#include "../property/representations/random_object.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "patch/merge_patch.h"
#include "tabernetes/api_server.h"

namespace {

using namespace tabernetes;
using json::Value;

const schema::Resource& kind_of(std::uint8_t choice) {
  const auto& resources = schema::Catalogue::built_in().resources();
  return resources[choice % resources.size()];
}

std::string collection_of(const schema::Resource& resource) {
  std::string path(resource.group.empty() ? "/api/" : "/apis/" + std::string(resource.group) + "/");
  path.append(resource.version).append(resource.namespaced ? "/namespaces/default/" : "/");
  return path.append(resource.plural);
}

std::string least_object(const schema::Resource& resource) {
  std::string version(resource.group);
  version.append(version.empty() ? "" : "/").append(resource.version);
  std::string text = R"({"apiVersion":")" + version + R"(","kind":")" + std::string(resource.kind) +
                     R"(","metadata":{"name":")" + property::least_name(resource) + "\"}";
  const std::string_view members = property::least_members(resource);
  if (members.size() > 2) text.append(",").append(members.substr(1, members.size() - 2));
  return text + "}";
}

// Sends a request; the answer must not be a failure of the server itself.
void ask(ApiServer& server, const std::string& method, const std::string& target,
         const std::string& body) {
  Request request{.method = method, .target = target};
  const bool patches = method == "PATCH";
  request.headers = {
      {"content-type", patches ? "application/merge-patch+json" : "application/json"}};
  request.body = body;
  server.handle(std::move(request), [&](const Response& response) {
    if (response.status >= 200 && response.status < 500) return;
    std::fprintf(stderr, "%s %s %s\n%s\n", method.c_str(), target.c_str(), body.c_str(),
                 response.body.flatten().c_str());
    std::abort();
  });
}

std::string text_of(const Value& value) {
  std::string text;
  codec::write_json(value, text);
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 10) return 0;
  const schema::Resource& kind = kind_of(data[0]);
  if (!kind.has_verb("create") || !kind.has_verb("get")) return 0;
  static auto* server = new ApiServer();
  static int handled = 0;
  if (++handled % 5000 == 0) {
    delete server;
    server = new ApiServer();
  }
  std::uint64_t seed = 0;
  std::memcpy(&seed, data + 2, sizeof seed);
  Entropy entropy({}, seed);
  json::Arena arena;
  Value drawn = property::random_object(*kind.type, data[1], entropy, arena);
  drawn.erase("metadata");
  const std::string least = least_object(kind);
  const std::string collection = collection_of(kind);
  const std::string object = collection + "/" + property::least_name(kind);
  ask(*server, "POST", collection, least);
  const auto merged = patch::apply_merge_patch(codec::read_json(least, arena).value, drawn, arena);
  if (!merged) std::abort();
  ask(*server, "POST", collection + "?dryRun=All", text_of(*merged));
  ask(*server, "PUT", object, text_of(*merged));
  const std::string part = text_of(drawn);
  ask(*server, "PATCH", object, part);
  ask(*server, "PATCH", object + "/status", part);
  return 0;
}
