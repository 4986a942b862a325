// A seed: two random objects of a kind, one merged into the other by strategic merge patch and by
// server-side apply. The first byte selects the kind, the second and third the sizes.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "../property/representations/random_object.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "tabernetes/standalone.h"

namespace {

using namespace tabernetes;

// Aborts, so that libFuzzer keeps the input.
void require(bool holds) {
  if (!holds) std::abort();
}

const schema::Resource& kind_of(std::uint8_t choice) {
  const auto& resources = schema::Catalogue::built_in().resources();
  return resources[choice % resources.size()];
}

std::string object_of(const schema::Resource& resource, std::size_t size, Entropy& entropy) {
  json::Arena arena;
  json::Value object = property::random_object(*resource.type, size, entropy, arena);
  if (json::Value* metadata = object.find("metadata")) metadata->erase("managedFields");
  std::string version(resource.group);
  version.append(version.empty() ? "" : "/").append(resource.version);
  object.set(arena, "kind", json::Value::string(resource.kind));
  object.set(arena, "apiVersion", json::Value::string(version));
  std::string text;
  codec::write_json(object, text);
  return text;
}

bool is_object(const std::string& text) {
  json::Arena arena;
  return codec::read_json(text, arena).value.is_object();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 11) return 0;
  std::uint64_t seed = 0;
  std::memcpy(&seed, data + 3, sizeof seed);
  Entropy entropy({}, seed);
  const schema::Resource& kind = kind_of(data[0]);
  const std::string live = object_of(kind, data[1], entropy);
  const std::string other = object_of(kind, data[2], entropy);
  const auto merged =
      apply_patch(live, other, {.media_type = "application/strategic-merge-patch+json"});
  require(is_object(merged ? merged->object : merged.fault().status));
  const ApplyOptions options{.manager = "fuzz", .force = true};
  const auto once = server_side_apply(live, other, options);
  require(is_object(once ? once->object : once.fault().status));
  if (!once) return 0;
  // An item {} whose key has a default is owned without any field; pruning then empties it,
  // upstream too.
  if (other.find("{}") != std::string::npos) return 0;
  const auto twice = server_side_apply(once->object, other, options);
  require(twice && twice->object == once->object);
  return 0;
}
