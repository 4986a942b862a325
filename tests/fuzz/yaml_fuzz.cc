// YAML text: a parsed value that can be written parses to the same tree (except for next lines,
// which are folded, and keys `<<`, which the real server writes like merges) and is then written as
// the same text; a stream of documents begins with the result of reading a single one.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "codec/json_writer.h"
#include "codec/yaml.h"
#include "json/equality.h"

namespace {

using namespace tabernetes;

// Aborts, so that libFuzzer keeps the input.
void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  json::Arena arena;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const codec::YamlRead first = codec::read_yaml(text, arena);
  const codec::YamlDocuments documents = codec::read_yaml_documents(text, arena);
  require(documents.error.empty() == (documents.failed_document == 0));
  if (!first.ok()) return 0;

  std::string written;
  if (!codec::write_yaml(first.value, written)) return 0;
  std::string json;
  codec::write_json(first.value, json);
  if (json.find(R"("\u003c\u003c":)") != std::string::npos) return 0;
  const codec::YamlRead second = codec::read_yaml(written, arena);
  require(second.ok());
  require(second.duplicates.empty());
  const bool folded = json.find("\u0085") != std::string::npos;
  require(folded || json::deep_equal(second.value, first.value));
  std::string again;
  require(codec::write_yaml(second.value, again));
  require(again == written);
  return 0;
}
