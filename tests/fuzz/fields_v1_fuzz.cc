// Two texts, each on a line, as FieldsV1: a parsed set prints and parses to the same, and sets obey
// their laws.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "patch/field_set.h"

namespace {

using namespace tabernetes;
using patch::FieldSet;

// Aborts, so that libFuzzer keeps the input.
void require(bool holds) {
  if (!holds) std::abort();
}

// Parses a set, which stays a view of `arena`.
std::optional<FieldSet> parsed(std::string_view text, json::Arena& arena) {
  const codec::JsonRead read = codec::read_json(text, arena);
  return read.ok() ? FieldSet::from_fields_v1(read.value) : std::nullopt;
}

std::string printed(const FieldSet& set) {
  json::Arena arena;
  std::string text;
  codec::write_json(set.to_fields_v1(arena), text);
  return text;
}

void require_same(const FieldSet& set) {
  json::Arena arena;
  const std::string text = printed(set);
  const auto again = parsed(text, arena);
  require(again && *again == set && printed(*again) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line_end = text.find('\n');
  json::Arena arena;
  const auto a = parsed(text.substr(0, line_end), arena);
  if (!a) return 0;
  require_same(*a);
  a->for_each([&](const patch::Path& path) { require(!path_text(path).empty()); });
  if (line_end == std::string_view::npos) return 0;
  const auto b = parsed(text.substr(line_end + 1), arena);
  if (!b) return 0;
  require_same(a->united(*b));
  require(a->united(*b) == b->united(*a));
  require(a->without(*b).united(a->intersected(*b)) == *a);
  require(a->without(*b).intersected(*b).empty());
  return 0;
}
