// Objects of every kind through every pair of encodings: an object encoded, decoded, encoded in
// another encoding and decoded is the same, and has the same bytes in each.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>

#include "codec/json_writer.h"
#include "encoding.h"
#include "json/equality.h"
#include "random_object.h"
#include "schema/decode.h"

namespace tabernetes::property {
namespace {

using codec::Encoding;
using json::Arena;
using json::Value;

std::uint64_t setting(const char* name, std::uint64_t usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

std::string to_json(const Value& value) {
  std::string text;
  codec::write_json(value, text);
  return text;
}

// Returns a random object of `type` with its kind, as decode_typed() returns it.
Value typed_object(const schema::Type& type, Entropy& entropy, Arena& arena) {
  const std::string group_version = type.group.empty()
                                        ? std::string(type.version)
                                        : std::string(type.group) + "/" + std::string(type.version);
  Value raw = Value::object(arena);
  raw.append(arena, "kind", Value::string(type.kind));
  raw.append(arena, "apiVersion", Value::string(arena.copy(group_version)));
  const Value fields = random_object(type, 20 + entropy.below(200), entropy, arena);
  for (const json::Member& member : fields.members()) raw.append(arena, member.key, member.value);
  const schema::DecodeResult decoded = schema::decode_typed(type, raw, arena);
  REQUIRE(decoded.error.empty());
  REQUIRE(decoded.strict_errors.empty());
  return decoded.value;
}

void check_pair(Encoding a, Encoding b, const schema::Type& type, const Value& object) {
  Arena arena;
  const std::string json = to_json(object);
  const std::string in_a = encode(a, object);
  const Value read_a = decode(a, type, in_a, arena);
  REQUIRE(to_json(read_a) == json);
  REQUIRE(json::deep_equal(read_a, object));
  const std::string in_b = encode(b, read_a);
  REQUIRE(in_b == encode(b, object));
  const Value read_b = decode(b, type, in_b, arena);
  REQUIRE(to_json(read_b) == json);
  REQUIRE(encode(a, read_b) == in_a);
}

TEST_CASE("representations property: every kind survives every pair of encodings", "[property]") {
  const std::uint64_t seed = setting("TABERNETES_PROPERTY_SEED", 1);
  const std::uint64_t runs = setting("TABERNETES_PROPERTY_RUNS", 3);
  int kinds = 0;
  for (const schema::Type& type : schema::Catalogue::built_in().types()) {
    if (type.kind.empty() || !type.has_type_meta()) continue;
    ++kinds;
    for (std::uint64_t run = 0; run < runs; ++run) {
      INFO(type.group << "/" << type.version << " " << type.kind << " of seed " << seed + run);
      Arena arena;
      Entropy entropy({}, split_mix_at(seed + run, static_cast<std::uint64_t>(kinds)));
      const Value object = typed_object(type, entropy, arena);
      CAPTURE(to_json(object));
      for (const Encoding a : encodings_of(type)) {
        for (const Encoding b : encodings_of(type)) check_pair(a, b, type, object);
      }
    }
  }
  CHECK(kinds > 150);
}

}  // namespace
}  // namespace tabernetes::property
