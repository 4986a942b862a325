// JSON text: whatever is read can be written, and what was written reads back as the same.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/value.h"

namespace {

using namespace tabernetes;

// Aborts, so that libFuzzer keeps the input.
void require(bool holds) {
  if (!holds) std::abort();
}

// A literal beyond the range of a double is read as an infinity, which cannot be written; one that
// underflows to -0 is written as -0 and comes back as the integer 0, in Go too.
bool has_odd_number(const json::Value& root) {
  std::vector<json::Value> todo = {root};
  while (!todo.empty()) {
    const json::Value value = todo.back();
    todo.pop_back();
    if (value.is_double()) {
      const double d = value.as_double();
      if (!std::isfinite(d) || (d == 0 && std::signbit(d))) return true;
    }
    if (value.is_array())
      for (const json::Value& item : value.items()) todo.push_back(item);
    if (value.is_object())
      for (const json::Member& member : value.members()) todo.push_back(member.value);
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  json::Arena arena;
  const codec::JsonRead first =
      codec::read_json({reinterpret_cast<const char*>(data), size}, arena);
  if (!first.ok() || has_odd_number(first.value)) return 0;

  std::string written;
  codec::write_json(first.value, written);
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
