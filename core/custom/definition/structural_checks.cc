// Checks that a schema is structural; see schema_checks.h.
#include <algorithm>
#include <span>

#include "base/algorithm/sort.h"
#include "base/regex/pattern.h"
#include "codec/json_writer.h"
#include "custom/definition/schema_checks.h"
#include "schema/schema_keywords.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;
using schema::Keyword;
using schema::keyword_name;
using schema::SchemaView;
using validation::Field;

enum class Level { kRoot, kItem, kField };

// Returns true if `branch` is {type: wanted} and nothing else.
bool is_bare_type(const Value& branch, std::string_view wanted) {
  return branch.size() == 1 && branch.string_at("type") == wanted;
}

// Returns true for the two branches of an int-or-string: {type: integer}, {type: string}.
bool is_int_or_string(const Value* branches) {
  return branches != nullptr && branches->size() == 2 &&
         is_bare_type(branches->items()[0], "integer") &&
         is_bare_type(branches->items()[1], "string");
}

void branch(const Field& at, bool skip_any_of);

void pattern_rule(const Field& at, const SchemaView& view) {
  const std::string_view pattern = view.text(Keyword::kPattern);
  if (pattern.empty()) return;
  const auto compiled = Pattern::compile(pattern);
  if (compiled) return;
  at["pattern"].invalid("must be a valid regular expression, but isn't: " + compiled.error());
}

void extension_rules(const Field& at, const SchemaView& view) {
  if (!view.flag(Keyword::kIntOrString)) return;
  for (const Keyword other : {Keyword::kPreserveUnknownFields, Keyword::kEmbeddedResource}) {
    if (view.flag(other)) {
      at[keyword_name(other)].invalid("must be false if x-kubernetes-int-or-string is true");
    }
  }
}

void type_rules(const Field& at, const SchemaView& view, Level level) {
  const Field type = at["type"];
  if (view.flag(Keyword::kEmbeddedResource) && !type.is("object")) {
    static constexpr std::string_view kDetail =
        "must be object if x-kubernetes-embedded-resource is true";
    if (type.text().empty()) {
      type.required(kDetail);
    } else {
      type.invalid(kDetail);
    }
  } else if (type.text().empty() && !view.flag(Keyword::kIntOrString) &&
             !view.flag(Keyword::kPreserveUnknownFields)) {
    static constexpr std::string_view kWhere[] = {"at the root", "for specified array items",
                                                  "for specified object fields"};
    type.required("must not be empty " + std::string(kWhere[static_cast<int>(level)]));
  }
  if (level == Level::kRoot && !type.text().empty() && !type.is("object")) {
    type.invalid("must be object at the root");
  }
}

void embedded_rules(const Field& at, const SchemaView& view) {
  if (!view.flag(Keyword::kEmbeddedResource)) return;
  if (view.has(Keyword::kAdditionalProperties)) {
    at["additionalProperties"].forbidden(
        "must not be used if x-kubernetes-embedded-resource is set");
  }
  if (!view.flag(Keyword::kPreserveUnknownFields) && view.size(Keyword::kProperties) == 0) {
    at["properties"].required(
        "must not be empty if x-kubernetes-embedded-resource is true without "
        "x-kubernetes-preserve-unknown-fields");
  }
}

// Checks metadata at the root: only name and generateName may be restricted.
void root_metadata(const Field& metadata) {
  for (const json::Member& member : metadata.value()->members()) {
    if (member.key == "type" || member.key == "default") continue;
    const auto restrictable = [](const json::Member& property) {
      return property.key == "name" || property.key == "generateName";
    };
    if (member.key == "properties" &&
        std::all_of(member.value.members().begin(), member.value.members().end(), restrictable)) {
      continue;
    }
    return metadata.forbidden(
        "must not specify anything other than name and generateName, but metadata is implicitly "
        "specified");
  }
}

void meta_rules(const Field& at, const SchemaView& view, Level level) {
  const Field properties = at["properties"];
  const bool whole = level == Level::kRoot || view.flag(Keyword::kEmbeddedResource);
  const auto wants = [&](std::string_view name, std::string_view wanted) {
    const Field property = properties.key(name);
    if (property.value() == nullptr) return;
    const Field type = property["type"];
    if (!type.is(wanted)) type.invalid("must be " + std::string(wanted));
  };
  if (whole) {
    wants("kind", "string");
    wants("apiVersion", "string");
    wants("metadata", "object");
  }
  if (level == Level::kRoot && view.property("metadata") != nullptr) {
    root_metadata(properties.key("metadata"));
  }
}

void branches(const Field& at, Keyword combinator, bool skip_first_any_of) {
  const Field list = at[keyword_name(combinator)];
  for (const Field each : list.items()) branch(each, skip_first_any_of && each.index() == 0);
}

// Checks the branches of allOf, anyOf, oneOf and not, and the pattern.
void limits(const Field& at, const SchemaView& view, bool skip_any_of, bool skip_first) {
  if (!skip_any_of) branches(at, Keyword::kAnyOf, false);
  branches(at, Keyword::kAllOf, skip_first);
  branches(at, Keyword::kOneOf, false);
  if (view.has(Keyword::kNot)) branch(at["not"], false);
  pattern_rule(at, view);
}

// Keywords that are not allowed in branches.
struct ForbiddenInBranch {
  Keyword keyword;
  std::string_view what;
};
constexpr ForbiddenInBranch kForbidden[] = {
    {Keyword::kType, "empty"},
    {Keyword::kAdditionalProperties, "undefined"},
    {Keyword::kDefault, "undefined"},
    {Keyword::kTitle, "empty"},
    {Keyword::kDescription, "empty"},
    {Keyword::kNullable, "false"},
    {Keyword::kPreserveUnknownFields, "false"},
    {Keyword::kEmbeddedResource, "false"},
    {Keyword::kIntOrString, "false"},
    {Keyword::kListMapKeys, "empty"},
    {Keyword::kListType, "undefined"},
    {Keyword::kMapType, "undefined"},
    {Keyword::kValidations, "empty"},
};

void branch(const Field& at, bool skip_any_of) {
  const SchemaView view(*at.value());
  limits(at, view, skip_any_of, false);
  if (view.schema_at(Keyword::kItems) != nullptr) branch(at["items"], false);
  const Field properties = at["properties"];
  for (const Field property : properties.items()) branch(property, false);
  for (const ForbiddenInBranch& each : kForbidden) {
    const Value* value = view[each.keyword];
    if (value == nullptr || (value->is_bool() && !value->as_bool())) continue;
    if ((value->is_array() || value->is_string()) && each.what == "empty" &&
        (value->is_string() ? value->as_string().empty() : value->size() == 0)) {
      continue;
    }
    at[keyword_name(each.keyword)].forbidden("must be " + std::string(each.what) +
                                             " to be structural");
  }
  if (view.property("metadata") != nullptr) {
    properties.key("metadata").forbidden("must not be specified in a nested context");
  }
}

// Checks a node outside of branches.
void structural_node(const Field& at, Level level) {
  const SchemaView view(*at.value());
  if (view.text(Keyword::kType) == "array" && !view.has(Keyword::kItems)) {
    at["items"].required("must be specified");
  }
  if (view.schema_at(Keyword::kItems) != nullptr) structural_node(at["items"], Level::kItem);
  const Field properties = at["properties"];
  for (const Field property : properties.items()) structural_node(property, Level::kField);
  if (view.has(Keyword::kAdditionalProperties)) {
    const Field additional = at["additionalProperties"];
    if (level == Level::kRoot) additional.forbidden("must not be used at the root");
    if (view.schema_at(Keyword::kAdditionalProperties) != nullptr)
      structural_node(additional, Level::kField);
  }
  const Value* all_of = view[Keyword::kAllOf];
  const bool first_all_of = all_of != nullptr && is_int_or_string(all_of->items()[0].find("anyOf"));
  limits(at, view, is_int_or_string(view[Keyword::kAnyOf]), first_all_of);
  extension_rules(at, view);
  type_rules(at, view, level);
  embedded_rules(at, view);
  meta_rules(at, view, level);
}

// `structure` has no value if the structural schema has no such node.
void check_branch(const Field& branch, const Field& structure);

void check_branches_of(const Field& node, const Field& structure) {
  const SchemaView view(*node.value());
  if (view.has(Keyword::kNot)) check_branch(node["not"], structure);
  for (const std::string_view combinator : {"allOf", "anyOf", "oneOf"}) {
    const Field list = node[combinator];
    for (const Field each : list.items()) check_branch(each, structure);
  }
}

void check_branch(const Field& branch, const Field& structure) {
  if (structure.value() == nullptr || !structure.value()->is_object()) {
    return structure.required("because it is defined in " + branch.path().text());
  }
  check_branches_of(branch, structure);
  const SchemaView view(*branch.value());
  if (view.schema_at(Keyword::kItems) != nullptr) check_branch(branch["items"], structure["items"]);
  const Field properties = branch["properties"], declared = structure["properties"];
  for (const Field property : properties.items()) {
    check_branch(property, declared.key(property.name()));
  }
}

}  // namespace

void check_structural(const Field& schema) {
  field::ErrorList& errors = schema.errors();
  const std::size_t before = errors.size();
  structural_node(schema, Level::kRoot);
  check_branches_of(schema, schema);
  sort_stable(std::span(errors).subspan(before), [](const field::Error& a, const field::Error& b) {
    return a.field + ": " + a.message < b.field + ": " + b.message;
  });
}

}  // namespace tabernetes::registry::custom
