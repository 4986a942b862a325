// A document and a patch, each on a line: neither JSON Patch nor merge patch changes its arguments,
// and the result can be written and read.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "patch/json_patch.h"
#include "patch/merge_patch.h"

namespace {

using namespace tabernetes;

// Aborts, so that libFuzzer keeps the input.
void require(bool holds) {
  if (!holds) std::abort();
}

std::string written(const json::Value& value) {
  std::string out;
  codec::write_json(value, out);
  return out;
}

void check(const Result<json::Value>& result) {
  if (!result) {
    const int code = result.error().code;
    require(code == 400 || code == 413 || code == 422 || code == 500);
    require(!result.error().message.empty());
    return;
  }
  json::Arena arena;
  require(codec::read_json(written(*result), arena).ok());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line_end = text.find('\n');
  if (line_end == std::string_view::npos) return 0;
  json::Arena arena;
  const codec::JsonRead document = codec::read_json(text.substr(0, line_end), arena);
  const codec::JsonRead patch = codec::read_json(text.substr(line_end + 1), arena);
  if (!document.ok() || !patch.ok() || !document.value.is_object()) return 0;

  const std::string document_before = written(document.value), patch_before = written(patch.value);
  check(patch::apply_json_patch(document.value, patch.value, arena));
  check(patch::apply_json_patch(document.value, patch.value, arena,
                                patch::OperationTypes::kUnchecked));
  check(patch::apply_merge_patch(document.value, patch.value, arena));
  require(patch::json_patch_strict_errors(patch.value).size() <= 100);
  require(written(document.value) == document_before);
  require(written(patch.value) == patch_before);
  return 0;
}
