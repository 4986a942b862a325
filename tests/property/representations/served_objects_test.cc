// Through a server: an object created in one encoding can be read in every other, alone and in a
// list, and the answers do not depend on the encoding it was created in.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/numbers/entropy.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "encoding.h"
#include "json/equality.h"
#include "least_objects.h"
#include "tabernetes/api_server.h"

namespace tabernetes::property {
namespace {

using codec::Encoding;
using json::Arena;
using json::Value;

const schema::Catalogue& catalogue() { return schema::Catalogue::built_in(); }

constexpr Encoding kEncodings[] = {Encoding::kJson, Encoding::kYaml, Encoding::kProtobuf};

std::string served_json(const Value& value) {
  std::string text;
  codec::write_json(value, text);
  return text;
}

std::string group_version_of(const schema::Resource& resource) {
  return resource.group.empty() ? std::string(resource.version)
                                : std::string(resource.group) + "/" + std::string(resource.version);
}

// Returns the resources whose objects are stored.
std::vector<const schema::Resource*> stored_resources() {
  std::vector<const schema::Resource*> stored;
  for (const schema::Resource& resource : catalogue().resources()) {
    if (resource.has_verb("create") && resource.has_verb("get")) stored.push_back(&resource);
  }
  return stored;
}

std::string collection_of(const schema::Resource& resource) {
  std::string path = resource.group.empty() ? "/api/" : "/apis/";
  path += group_version_of(resource);
  if (resource.namespaced) path += "/namespaces/default";
  return path + "/" + std::string(resource.plural);
}

std::string path_of(const schema::Resource& resource) {
  return collection_of(resource) + "/" + least_name(resource);
}

std::string ask(ApiServer& server, std::string_view method, std::string target, Encoding accept,
                std::string body = {}, Encoding content_type = Encoding::kJson) {
  Request request{.method = std::string(method), .target = std::move(target)};
  request.headers = {{"accept", std::string(codec::media_type_of(accept))}};
  if (!body.empty()) {
    request.headers.emplace_back("content-type", codec::media_type_of(content_type));
  }
  request.body = std::move(body);
  std::string answer;
  int status = 0;
  server.handle(std::move(request), [&](Response response) {
    status = response.status;
    answer = response.body.flatten();
    if (response.stream == nullptr) return;
    while (!response.stream->ended()) answer += response.stream->next().flatten();
  });
  INFO(answer);
  REQUIRE((status == 200 || status == 201));
  return answer;
}

// Returns an object with random metadata and its kind's required members; the server defaults the
// rest.
Value new_object(const schema::Resource& resource, Entropy& entropy, Arena& arena) {
  Value labels = Value::object(arena), annotations = Value::object(arena);
  for (std::uint64_t count = entropy.below(4); count > 0; --count) {
    labels.set(arena, arena.copy("l" + make_name_suffix(entropy)),
               Value::string(arena.copy(make_name_suffix(entropy))));
    static constexpr std::string_view kTexts[] = {"",      "yes", "1e3",          "a: b\nc",
                                                  "\t<&>", " x ", "\u00e9\u2028", "null"};
    annotations.set(arena, arena.copy("example.com/" + make_name_suffix(entropy)),
                    Value::string(kTexts[entropy.below(std::size(kTexts))]));
  }
  labels.sort_members();
  annotations.sort_members();
  Value metadata = Value::object(arena);
  metadata.append(arena, "name", Value::string(arena.copy(least_name(resource))));
  metadata.append(arena, "labels", labels);
  metadata.append(arena, "annotations", annotations);
  Value object = Value::object(arena);
  object.append(arena, "kind", Value::string(resource.kind));
  object.append(arena, "apiVersion", Value::string(arena.copy(group_version_of(resource))));
  object.append(arena, "metadata", metadata);
  const Value members = codec::read_json(least_members(resource), arena).value;
  for (const json::Member& member : members.members()) {
    object.append(arena, member.key, member.value);
  }
  return object;
}

// Returns a server with one object of every resource, created and answered in `encoding`.
std::unique_ptr<ApiServer> filled_server(Encoding encoding) {
  auto server = std::make_unique<ApiServer>(Options{.seed = 5});
  Entropy entropy({}, 17);
  for (const schema::Resource* resource : stored_resources()) {
    INFO(group_version_of(*resource) << " " << resource->plural);
    Arena arena;
    const Value object = new_object(*resource, entropy, arena);
    const std::string answer = ask(*server, "POST", collection_of(*resource), encoding,
                                   encode(encoding, object), encoding);
    const Value created = decode(encoding, *resource->type, answer, arena);
    const std::string read = ask(*server, "GET", path_of(*resource), Encoding::kJson);
    if (resource->plural != "apiservices") {
      CHECK(served_json(created) + "\n" == read);
      continue;
    }
    // The server itself has noted meanwhile whether the API of a service is available.
    const Value seen = codec::read_json(read, arena).value;
    CHECK(json::same_member(created, seen, "spec"));
    for (const std::string_view member : {"name", "uid", "labels", "annotations"}) {
      CHECK(json::same_member(*created.find("metadata"), *seen.find("metadata"), member));
    }
  }
  return server;
}

TEST_CASE("served objects property: created in one encoding, read in every other", "[property]") {
  std::map<std::string, std::string> in_json;  // by path, from the first server
  for (const Encoding created_in : kEncodings) {
    const auto server = filled_server(created_in);
    for (const schema::Resource* resource : stored_resources()) {
      INFO(codec::media_type_of(created_in) << " " << collection_of(*resource));
      for (const bool is_list : {false, true}) {
        const std::string path = is_list ? collection_of(*resource) : path_of(*resource);
        const schema::Type& type = is_list ? *resource->list_type : *resource->type;
        const std::string json = ask(*server, "GET", path, Encoding::kJson);
        const auto [first, is_new] = in_json.emplace(path, json);
        if (!is_new) CHECK(json == first->second);
        for (const Encoding read_in : kEncodings) {
          Arena arena;
          const std::string bytes = ask(*server, "GET", path, read_in);
          const Value object = decode(read_in, type, bytes, arena);
          CHECK(served_json(object) + "\n" == json);
          if (read_in != Encoding::kJson) CHECK(encode(read_in, object) == bytes);
        }
      }
    }
  }
  CHECK(in_json.size() == 2 * stored_resources().size());
}

}  // namespace
}  // namespace tabernetes::property
