// Warnings for definitions; see validate_definition.h.
#include <set>

#include "base/go/text.h"
#include "custom/definition/validate_definition.h"
#include "json/equality.h"
#include "registry/kind/warnings.h"
#include "schema/schema_keywords.h"
#include "schema/string_format.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;
using schema::Keyword;
using schema::SchemaView;

// Calls `visit` with each node of a schema, starting with the root.
template <class Visit>
void each_node(const Value& node, const Visit& visit) {
  const SchemaView view(node);
  visit(view);
  if (const Value* items = view.schema_at(Keyword::kItems)) each_node(*items, visit);
  for (const Keyword list : {Keyword::kAllOf, Keyword::kAnyOf, Keyword::kOneOf}) {
    if (!view.has(list)) continue;
    for (const Value& branch : view[list]->items()) each_node(branch, visit);
  }
  if (const Value* branch = view[Keyword::kNot]) each_node(*branch, visit);
  if (const Value* properties = view[Keyword::kProperties]) {
    for (const json::Member& member : properties->members()) each_node(member.value, visit);
  }
  if (const Value* additional = view.schema_at(Keyword::kAdditionalProperties)) {
    each_node(*additional, visit);
  }
}

bool is_known_format(std::string_view format, std::string_view type) {
  if (type.empty() || type == "string") {
    return schema::find_string_format(format) != schema::StringFormat::kNone;
  }
  if (type == "integer") return format == "int32" || format == "int64";
  return type == "number" && (format == "float" || format == "double");
}

// Returns them in the order of the definition. A schema shared by all versions counts once.
std::vector<std::string_view> unknown_formats(const Value& definition) {
  std::vector<std::string_view> found;
  const Value* versions = definition.at({"spec", "versions"});
  if (versions == nullptr || !versions->is_array()) return found;
  const Value* before = nullptr;
  for (const Value& version : versions->items()) {
    const Value* schema = version.at({"schema", "openAPIV3Schema"});
    if (schema == nullptr || (before != nullptr && json::deep_equal(*schema, *before))) continue;
    before = schema;
    each_node(*schema, [&found](const SchemaView& node) {
      const std::string_view format = node.text(Keyword::kFormat);
      if (!format.empty() && !is_known_format(format, node.text(Keyword::kType))) {
        found.push_back(format);
      }
    });
  }
  return found;
}

}  // namespace

void definition_warnings(const validation::Field& object, const Value* old, Warnings& out) {
  std::set<std::string_view> known;
  if (old != nullptr) {
    for (const std::string_view format : unknown_formats(*old)) known.insert(format);
  }
  for (const std::string_view format : unknown_formats(*object.value())) {
    if (!known.contains(format)) out.add({"unrecognized format ", go_quote(format)});
  }
}

}  // namespace tabernetes::registry::custom
