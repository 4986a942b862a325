// JSON text: a parsed value can be written and parses to the same. The fast reader and Go's scanner
// agree on validity, so a rejected text always has a message.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json_reader.h"
#include "codec/json_syntax.h"
#include "codec/json_writer.h"
#include "json/encoded_size.h"
#include "json/value.h"

namespace {

using namespace tabernetes;

// Aborts, so that libFuzzer keeps the input.
void require(bool holds) {
  if (!holds) std::abort();
}

// A number that underflows to -0 is written as -0 and read as the integer 0, in Go too.
bool has_negative_zero(const json::Value& root) {
  std::vector<json::Value> todo = {root};
  while (!todo.empty()) {
    const json::Value value = todo.back();
    todo.pop_back();
    if (value.is_double() && value.as_double() == 0 && std::signbit(value.as_double())) return true;
    if (value.is_array()) {
      for (const json::Value& item : value.items()) todo.push_back(item);
    }
    if (value.is_object()) {
      for (const json::Member& member : value.members()) todo.push_back(member.value);
    }
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  json::Arena arena;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const codec::JsonRead first = codec::read_json(text, arena);
  require(first.error == codec::json_syntax_error(text));
  if (!first.ok() || has_negative_zero(first.value)) return 0;

  std::string written;
  codec::write_json(first.value, written);
  require(json::encoded_size(first.value) == written.size());
  const codec::JsonRead second = codec::read_json(written, arena);
  require(second.ok());
  std::string again;
  codec::write_json(second.value, again);
  require(again == written);

  std::string pretty;
  codec::write_json_pretty(first.value, pretty);
  std::string prettified;
  codec::prettify_json(written, prettified);
  require(pretty == prettified);
  return 0;
}
