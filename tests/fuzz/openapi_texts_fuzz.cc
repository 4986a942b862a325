// Files of OpenAPI descriptions: either rejected, or every text that they refer to exists.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "codec/json_reader.h"
#include "codec/openapi_texts.h"

using namespace tabernetes;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  const auto texts = codec::read_openapi_texts(file, "1.36");
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(file, arena);
  if (!texts) {
    if (texts.error().empty()) std::abort();
    return 0;
  }
  std::size_t bytes = 0;
  for (const json::Member& type : read.value.find("types")->members()) {
    bytes += texts->of_type(type.key).size();
    for (const json::Member& field : type.value.members()) {
      bytes += texts->of_field(type.key, field.key).size();
    }
  }
  for (const json::Member& parameter : read.value.find("parameters")->members()) {
    bytes += texts->of_parameter(parameter.key).size();
  }
  // Each name is looked up at most once per occurrence, and no text is longer than the file.
  if (bytes > size * size) std::abort();
  return 0;
}
