#include "codec/yaml_lines.h"

#include "codec/yaml_nodes.h"

namespace tabernetes::codec {
namespace {

struct Found {
  const YamlNode* value = nullptr;
  std::size_t line = 0;
};

// Returns a member or an item; no value if there is none.
Found child_of(const YamlNode& node, const std::string& name) {
  if (node.kind == YamlNode::Kind::kMapping) {
    for (const YamlNode* key = node.first; key != nullptr && key->next != nullptr;
         key = key->next->next) {
      if (key->value == name) return {key->next, key->line};
    }
  }
  if (node.kind == YamlNode::Kind::kSequence) {
    std::size_t index = 0;
    for (const YamlNode* item = node.first; item != nullptr; item = item->next, ++index) {
      if (std::to_string(index) == name) return {item, item->line};
    }
  }
  return {};
}

}  // namespace

std::size_t yaml_line_of(std::string_view text, const std::vector<std::string>& path) {
  json::Arena arena;
  YamlNodeReader reader(text, arena);
  Found at{reader.next_document()};
  if (at.value == nullptr) return 0;
  at.line = at.value->line;
  for (const std::string& name : path) {
    const YamlNode* node = at.value;
    if (node->kind == YamlNode::Kind::kAlias) node = node->first;
    const Found next = node == nullptr ? Found() : child_of(*node, name);
    if (next.value == nullptr) break;
    at = next;
  }
  return at.line;
}

}  // namespace tabernetes::codec
