#include "codec/rule_list.h"

#include "codec/json_writer.h"
#include "codec/yaml.h"

namespace tabernetes::codec {

using json::Value;

Expected<std::string> read_rule_list(std::string_view document,
                                     const std::function<void(const json::DocumentPart&)>& read) {
  json::Arena arena;
  const YamlDocuments parsed = read_yaml_documents(document, arena);
  if (!parsed.error.empty()) return Fault{parsed.error};
  if (parsed.documents.empty()) return std::string("[]");
  if (parsed.documents.size() > 1) return Fault{"must be one document"};
  const Value& whole = parsed.documents.front();
  const Value* const list = whole.is_object() ? whole.find("rules") : &whole;
  if (list == nullptr || !list->is_array()) return Fault{"must be a list of rules"};
  std::string error;
  std::size_t count = 0;
  for (const Value& item : list->items()) {
    read(json::DocumentPart(&item, "rules[" + std::to_string(count++) + "]", error));
  }
  if (!error.empty()) return Fault{error};
  return json_text(*list);
}

}  // namespace tabernetes::codec
