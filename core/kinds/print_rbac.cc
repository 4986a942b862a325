// Cells of role bindings. Source: upstream 1.36 printers/internalversion/printers.go.
#include <string>
#include <vector>

#include "base/text/parts.h"
#include "json/access.h"
#include "kinds/printers.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry {
namespace {

using json::Value;

std::string subjects_text(const Value& binding, std::string_view kind) {
  std::vector<std::string> texts;
  for (const Value& subject : items_at(binding, {"subjects"})) {
    if (subject.string_at("kind") != kind) continue;
    std::string text;
    if (kind == "ServiceAccount") text.append(subject.string_at("namespace")).append("/");
    texts.push_back(text.append(subject.string_at("name")));
  }
  return join(texts, ", ");
}

}  // namespace

void print_role_binding(const Value& object, Row& row) {
  row.name(object);
  row.text(std::string(text_at(object, {"roleRef", "kind"})) + "/" +
           std::string(text_at(object, {"roleRef", "name"})));
  row.age(object);
  row.text(subjects_text(object, "User"));
  row.text(subjects_text(object, "Group"));
  row.text(subjects_text(object, "ServiceAccount"));
}

}  // namespace tabernetes::registry
