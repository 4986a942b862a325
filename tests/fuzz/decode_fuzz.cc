// Any JSON text as a built-in kind: decoding is idempotent from the second time on. The first byte
// selects the kind.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "schema/decode.h"

namespace {

using namespace tabernetes;

const schema::Type& chosen_type(std::uint8_t choice) {
  struct Kind {
    std::string_view group, kind;
  };
  static constexpr Kind kKinds[] = {{"", "Pod"},
                                    {"apps", "Deployment"},
                                    {"apiextensions.k8s.io", "CustomResourceDefinition"},
                                    {"", "Secret"},
                                    {"", "Service"},
                                    {"", "Event"},
                                    {"apps", "ControllerRevision"}};
  const Kind& chosen = kKinds[choice % (sizeof kKinds / sizeof kKinds[0])];
  return *schema::Catalogue::built_in().find_kind(chosen.group, "v1", chosen.kind);
}

// Returns false for invalid JSON or a type error.
bool decode(const schema::Type& type, std::string_view text, std::string& out) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(text, arena);
  if (!read.ok()) return false;
  schema::DecodeResult result = schema::decode_typed(type, read.value, arena);
  if (!result.error.empty()) return false;
  codec::write_json(result.value, out);
  schema::apply_defaults(type, result.value, arena);
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const schema::Type& type = chosen_type(data[0]);
  std::string once, twice, thrice;
  if (!decode(type, {reinterpret_cast<const char*>(data) + 1, size - 1}, once)) return 0;
  if (!decode(type, once, twice) || !decode(type, twice, thrice)) std::abort();
  if (twice != thrice) std::abort();
  return 0;
}
