// Tested by tests/core/codec/yaml_reader_test.cc, tests/fuzz/yaml_fuzz.cc.
#include <algorithm>
#include <utility>

#include "codec/json_list.h"
#include "codec/json_reader.h"
#include "codec/yaml.h"
#include "codec/yaml_decoder.h"
#include "codec/yaml_nodes.h"

namespace tabernetes::codec {
namespace {

using json::Arena;
using json::Value;

constexpr std::string_view kYamlSpaces = " \t\r\n";

// Reads a sequence of JSON objects; returns false if the text is anything else.
bool read_json_documents(std::string_view text, Arena& arena, std::vector<Value>& documents) {
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(kYamlSpaces), text.size()));
    if (text.empty()) return true;
    if (text[0] != '{') return false;
    const std::size_t extent = json_extent(text);
    const JsonRead read = read_json(text.substr(0, extent), arena);
    if (!read.ok()) return false;
    documents.push_back(read.value);
    text.remove_prefix(extent);
  }
}

}  // namespace

YamlRead read_yaml(std::string_view text, Arena& arena) {
  YamlRead read;
  YamlNodeReader reader(text, arena);
  const YamlNode* root = reader.next_document();
  if (root == nullptr) {
    if (!reader.error().empty()) read.error = "yaml: " + reader.error();
    return read;
  }
  YamlDecoded decoded = decode_yaml(*root, arena);
  read.value = decoded.value;
  read.error = std::move(decoded.error);
  read.duplicates = std::move(decoded.duplicates);
  return read;
}

YamlDocuments read_yaml_documents(std::string_view text, Arena& arena) {
  YamlDocuments result;
  if (read_json_documents(text, arena, result.documents)) return result;
  result.documents.clear();

  YamlNodeReader reader(text, arena);
  for (std::size_t number = 1;; ++number) {
    const YamlNode* root = reader.next_document();
    if (root != nullptr) {
      YamlDecoded decoded = decode_yaml(*root, arena);
      result.error = std::move(decoded.error);
      if (result.error.empty() && !decoded.value.is_null()) {
        result.documents.push_back(decoded.value);
      }
    } else if (!reader.error().empty()) {
      result.error = "yaml: " + reader.error();
    }
    if (!result.error.empty()) result.failed_document = number;
    if (root == nullptr || !result.error.empty()) return result;
  }
}

}  // namespace tabernetes::codec
