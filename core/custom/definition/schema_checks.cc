#include "custom/definition/schema_checks.h"

#include <algorithm>
#include <limits>
#include <set>

#include "base/go/text.h"
#include "codec/json_writer.h"
#include "custom/schema/field_path.h"
#include "rules/internal_form.h"
#include "schema/schema_keywords.h"
#include "schema/structural.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;
using schema::Keyword;
using schema::keyword_name;
using schema::SchemaView;
using validation::Field;

constexpr std::string_view kSchemaType =
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";
constexpr std::string_view kTypes = "array,boolean,integer,number,object,string";

// The position of a node in the schema.
struct Position {
  bool root = false;
  bool in_metadata = false;           // of an object: the whole one or an embedded one
  std::string_view defaults_refused;  // why no default is allowed here; empty if it is
  const Field* uncorrelatable = nullptr;
  // True outside of not, allOf, oneOf and anyOf: rules are compiled.
  bool structure = false;
  std::optional<std::uint64_t> most = 1;
};

// Returns the maximum number of values of a child node.
std::optional<std::uint64_t> max_children(const SchemaView& view,
                                          std::optional<std::uint64_t> most) {
  const std::string_view type = view.text(Keyword::kType);
  Keyword limit = Keyword::kMaxItems;
  if (type == "object" && view.has(Keyword::kAdditionalProperties)) {
    limit = Keyword::kMaxProperties;
  } else if (type != "array") {
    return most;
  }
  const Value* given = view[limit];
  if (!most || given == nullptr || !given->is_int()) return std::nullopt;
  const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(given->as_int(), 0));
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  if (*most != 0 && kMost / *most < count) return kMost;
  return *most * count;
}

class SchemaRules {
 public:
  void node(const Field& at, const Position& position);

  std::vector<CelRuleNode> sites;

 private:
  void keywords(const Field& at, const SchemaView& view, const Position& position) const;
  void additional(const Field& at, const SchemaView& view, const Position& position);
  void properties(const Field& at, const SchemaView& view, const Position& position);
  void junctors(const Field& at, const SchemaView& view, const Position& position);
  void items(const Field& at, const SchemaView& view, const Position& position);
  void map_type(const Field& at, const SchemaView& view) const;
  void list_type(const Field& at, const SchemaView& view) const;
  void set_items(const Field& at, const SchemaView& items) const;
  void list_keys(const Field& at, const SchemaView& view) const;
  void list_keys_of_map(const Field& at, const SchemaView& view) const;
  void keyed_items(const Field& at, const SchemaView& view) const;
  void rules(const Field& at) const;
};

// --- Unsupported and misplaced keywords

void SchemaRules::keywords(const Field& at, const SchemaView& view,
                           const Position& position) const {
  const Field type = at["type"];
  if (!type.text().empty() && !validation::listed(kTypes, type.text())) {
    type.not_supported(kTypes);
  }
  if (view.has(Keyword::kDefault) && !position.defaults_refused.empty()) {
    at["default"].forbidden("must not be set " + std::string(position.defaults_refused));
  }
  static constexpr Keyword kUnsupported[] = {
      Keyword::kId,          Keyword::kAdditionalItems, Keyword::kPatternProperties,
      Keyword::kDefinitions, Keyword::kDependencies,    Keyword::kRef};
  for (const Keyword keyword : kUnsupported) {
    if (!view.has(keyword)) continue;
    at[keyword_name(keyword)].forbidden(std::string(keyword_name(keyword)) + " is not supported");
  }
  if (type.is("null")) {
    type.forbidden("type cannot be set to null, use nullable as an alternative");
  }
  const Value* items = view[Keyword::kItems];
  if (items != nullptr && items->is_array() && items->size() > 0) {
    at["items"].forbidden("items must be a schema object and not an array");
  }
  if (position.in_metadata && view.flag(Keyword::kEmbeddedResource)) {
    at[keyword_name(Keyword::kEmbeddedResource)].forbidden(
        "must not be used inside of resource meta");
  }
  if (view.flag(Keyword::kUniqueItems)) {
    at["uniqueItems"].forbidden(
        "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
  }
}

// --- Child nodes

void SchemaRules::additional(const Field& at, const SchemaView& view, const Position& position) {
  const Value* given = view[Keyword::kAdditionalProperties];
  if (given == nullptr) return;
  const Field additional = at["additionalProperties"];
  if (view.size(Keyword::kProperties) > 0 && !(given->is_bool() && given->as_bool())) {
    additional.forbidden("additionalProperties and properties are mutual exclusive");
  }
  if (!given->is_object()) return;
  Position below = position;
  below.root = false;
  below.most = max_children(view, position.most);
  if (position.in_metadata) {
    below.defaults_refused = "inside additionalProperties applying to object metadata";
  }
  node(additional, below);
}

void SchemaRules::properties(const Field& at, const SchemaView& view, const Position& position) {
  const Field properties = at["properties"];
  Position below = position;
  below.root = false;
  below.most = max_children(view, position.most);
  if (view.text(Keyword::kMapType) == "atomic" && below.uncorrelatable == nullptr) {
    below.uncorrelatable = &at;
  }
  for (const Field property : properties.items()) {
    Position here = below;
    std::string reason;
    if ((position.root || view.flag(Keyword::kEmbeddedResource)) &&
        schema::is_meta_field(property.name())) {
      here.in_metadata = true;
      reason = "in top-level " + std::string(property.name());
      if (position.root) here.defaults_refused = reason;
    }
    node(property, here);
  }
}

void SchemaRules::junctors(const Field& at, const SchemaView& view, const Position& position) {
  Position below = position;
  below.root = below.structure = false;
  if (view.has(Keyword::kNot)) node(at["not"], below);
  for (const std::string_view combinator : {"allOf", "oneOf", "anyOf", "definitions"}) {
    const Field list = at[combinator];
    for (const Field branch : list.items()) node(branch, below);
  }
}

void SchemaRules::items(const Field& at, const SchemaView& view, const Position& position) {
  const Value* given = view[Keyword::kItems];
  if (given == nullptr) return;
  Position below = position;
  below.root = false;
  below.most = max_children(view, position.most);
  if (view.text(Keyword::kListType) != "map" && below.uncorrelatable == nullptr) {
    below.uncorrelatable = &at;
  }
  const Field items = at["items"];
  if (given->is_object()) {
    node(items, below);
  } else if (given->is_array()) {
    for (const Field item : items.items()) node(item, below);
  }
}

// --- List and map types

void SchemaRules::map_type(const Field& at, const SchemaView& view) const {
  if (!view.has(Keyword::kMapType)) return;
  const Field type = at["type"];
  static constexpr std::string_view kDetail =
      "must be object if x-kubernetes-map-type is specified";
  if (type.text().empty()) {
    type.required(kDetail);
  } else if (!type.is("object")) {
    type.invalid(kDetail);
  }
  at[keyword_name(Keyword::kMapType)].one_of("atomic,granular");
}

void SchemaRules::list_type(const Field& at, const SchemaView& view) const {
  if (!view.has(Keyword::kListType)) return;
  const Field type = at["type"];
  static constexpr std::string_view kDetail =
      "must be array if x-kubernetes-list-type is specified";
  const Value* items = view.schema_at(Keyword::kItems);
  if (type.text().empty()) {
    type.required(kDetail);
  } else if (!type.is("array")) {
    type.invalid(kDetail);
  } else if (view.text(Keyword::kListType) == "set" && items != nullptr) {
    set_items(at["items"], SchemaView(*items));
  }
  at[keyword_name(Keyword::kListType)].one_of("atomic,set,map");
}

// Checks that items of a set are scalars or atomic.
void SchemaRules::set_items(const Field& at, const SchemaView& items) const {
  const std::string_view type = items.text(Keyword::kType);
  Keyword wrong = Keyword::kListType;
  if (type == "array") {
    if (!items.has(wrong) || items.text(wrong) == "atomic") return;
  } else if (type == "object") {
    wrong = Keyword::kMapType;
    if (items.text(wrong) == "atomic") return;
  } else {
    return;
  }
  // The real server prints the list type in both cases.
  at[keyword_name(wrong)].invalid_printed(codec::json_text(items[Keyword::kListType]),
                                          "must be atomic as item of a list with "
                                          "x-kubernetes-list-type=set");
}

void SchemaRules::list_keys(const Field& at, const SchemaView& view) const {
  const Field type = at[keyword_name(Keyword::kListType)];
  if (view.size(Keyword::kListMapKeys) > 0 && !type.is("map")) {
    static constexpr std::string_view kDetail =
        "must be map if x-kubernetes-list-map-keys is non-empty";
    if (type.value() == nullptr) {
      type.required(kDetail);
    } else {
      type.invalid(kDetail);
    }
  }
  if (type.is("map")) list_keys_of_map(at, view);
}

void SchemaRules::list_keys_of_map(const Field& at, const SchemaView& view) const {
  const Field keys = at[keyword_name(Keyword::kListMapKeys)];
  if (keys.empty()) keys.required("must not be empty if x-kubernetes-list-type is map");
  const Field items = at["items"];
  if (!view.has(Keyword::kItems)) {
    items.required("must have a schema if x-kubernetes-list-type is map");
  }
  const Value* schema = view.schema_at(Keyword::kItems);
  if (schema == nullptr) {
    if (items.present()) {
      json::Arena arena;
      const Value node = validation::internal_form(at.value(), kSchemaType, arena);
      items.invalid_printed(codec::json_text(node.find("Items")),
                            "must only have a single schema if x-kubernetes-list-type is map");
    }
    return;
  }
  const Field type = items["type"];
  if (!type.is("object")) {
    return type.invalid("must be object if parent array's x-kubernetes-list-type is map");
  }
  std::set<std::string_view> seen;
  const Field properties = items["properties"];
  for (const Field key : keys.items()) {
    const Field property = properties.key(key.text());
    const Field scalar = property["type"];
    if (property.value() == nullptr) {
      keys.invalid("entries must all be names of item properties");
    } else if (scalar.is("array") || scalar.is("object")) {
      // The real server prints the item's type.
      scalar.invalid_string(
          "object", "must be a scalar type if parent array's x-kubernetes-list-type is map");
    }
    if (!seen.insert(key.text()).second) keys.invalid("must not contain duplicate entries");
  }
}

// Checks that items can be identified: they are not null, and their keys are required or have
// defaults.
void SchemaRules::keyed_items(const Field& at, const SchemaView& view) const {
  const std::string_view type = view.text(Keyword::kListType);
  const Value* schema = view.schema_at(Keyword::kItems);
  if (schema == nullptr || (type != "set" && type != "map")) return;
  const SchemaView item(*schema);
  const Field items = at["items"];
  if (item.flag(Keyword::kNullable)) {
    items["nullable"].forbidden("cannot be nullable when x-kubernetes-list-type is " +
                                std::string(type));
  }
  if (type != "map") return;
  const Field properties = items["properties"], required = items["required"];
  const Field keys = at[keyword_name(Keyword::kListMapKeys)];
  for (const Field key : keys.items()) {
    const Field property = properties.key(key.text());
    if (property.value() == nullptr) continue;
    bool is_required = false;
    for (const Field name : required.items()) is_required = is_required || name.is(key.text());
    if (!is_required && property.find("default") == nullptr) {
      property["default"].required(
          "this property is in x-kubernetes-list-map-keys, so it must have a default or be a "
          "required property");
    }
    const Field nullable = property["nullable"];
    if (nullable.flag()) {
      nullable.forbidden(
          "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
    }
  }
}

// --- Checks of rules that need no compilation

bool has_line_break(std::string_view text) {
  return text.find_first_of("\n\r") != std::string_view::npos;
}

void rule_texts(const Field& rule) {
  const Field expression = rule["rule"], message = rule["message"];
  const std::string_view trimmed = go_trim_space(message.text());
  const std::string_view trimmed_rule = go_trim_space(expression.text());
  if (trimmed_rule.empty()) {
    expression.required("rule is not specified");
  } else if (!message.text().empty() && trimmed.empty()) {
    message.invalid("must be non-empty if specified");
  } else if (has_line_break(trimmed)) {
    message.invalid("must not contain line breaks");
  } else if (has_line_break(trimmed_rule) && trimmed.empty()) {
    message.required("message must be specified if rule contains line breaks");
  }
  const Field made = rule["messageExpression"];
  if (!made.text().empty() && go_trim_space(made.text()).empty()) {
    made.required("messageExpression must be non-empty if specified");
  }
  rule["reason"].one_of_or_absent(
      "FieldValueDuplicate,FieldValueForbidden,FieldValueInvalid,FieldValueRequired");
}

void SchemaRules::rules(const Field& at) const {
  const Field list = at[keyword_name(Keyword::kValidations)];
  for (const Field rule : list.items()) {
    rule_texts(rule);
    const Field path = rule["fieldPath"];
    if (path.text().empty()) continue;
    if (go_trim_space(path.text()).empty()) path.invalid("must be non-empty if specified");
    if (has_line_break(path.text())) path.invalid("must not contain line breaks");
    if (!find_field(path.text(), *at.value(), ArrayNotation::kAllowed).error.empty()) {
      path.invalid("must be a valid path");
    }
  }
}

void SchemaRules::node(const Field& at, const Position& position) {
  const std::size_t before = at.errors().size();
  const SchemaView view(*at.value());
  keywords(at, view, position);
  additional(at, view, position);
  properties(at, view, position);
  junctors(at, view, position);
  items(at, view, position);
  const Field preserve = at[keyword_name(Keyword::kPreserveUnknownFields)];
  if (preserve.present() && !preserve.flag()) preserve.invalid("must be true or undefined");
  map_type(at, view);
  list_type(at, view);
  list_keys(at, view);
  keyed_items(at, view);
  if (!view.has(Keyword::kValidations)) return;
  rules(at);
  if (!position.structure || at.errors().size() > before) return;
  sites.push_back({at.path(), at.value(), position.root || view.flag(Keyword::kEmbeddedResource),
                   position.most,
                   position.uncorrelatable == nullptr ? std::string()
                                                      : position.uncorrelatable->path().text()});
}

// --- The root

// In the order of the fields of upstream's type: only the first disallowed one is reported.
constexpr Keyword kNotAtRoot[] = {Keyword::kId,
                                  Keyword::kSchema,
                                  Keyword::kRef,
                                  Keyword::kType,
                                  Keyword::kNullable,
                                  Keyword::kDefault,
                                  Keyword::kEnum,
                                  Keyword::kMaxProperties,
                                  Keyword::kMinProperties,
                                  Keyword::kAllOf,
                                  Keyword::kOneOf,
                                  Keyword::kAnyOf,
                                  Keyword::kNot,
                                  Keyword::kAdditionalProperties,
                                  Keyword::kPatternProperties,
                                  Keyword::kDependencies,
                                  Keyword::kAdditionalItems,
                                  Keyword::kDefinitions,
                                  Keyword::kEmbeddedResource,
                                  Keyword::kIntOrString,
                                  Keyword::kListMapKeys,
                                  Keyword::kListType,
                                  Keyword::kMapType};

// The status is validated alone, which would skip keywords at the root.
void check_status_root(const Field& schema) {
  const SchemaView view(*schema.value());
  for (const Keyword keyword : kNotAtRoot) {
    const Value* value = view[keyword];
    if (value == nullptr ||
        (value->is_bool() && !value->as_bool() && keyword != Keyword::kAdditionalProperties)) {
      continue;
    }
    if (keyword != Keyword::kType) {
      schema.invalid_printed(
          validation::print_internal(schema, kSchemaType),
          "only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum "
          "MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items "
          "Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed "
          "at the root of the schema if the status subresource is enabled");
      return;
    }
    const Field type = schema["type"];
    if (!type.is("object")) {
      return type.invalid(
          "only \"object\" is allowed as the type at the root of the schema if the status "
          "subresource is enabled");
    }
  }
}

// Returns true for keywords that prevent upstream from making a structural schema. All except one
// are reported elsewhere too.
bool has_unsupported(const Value& node) {
  const SchemaView view(node);
  for (const Keyword keyword :
       {Keyword::kId, Keyword::kSchema, Keyword::kPatternProperties, Keyword::kDependencies,
        Keyword::kAdditionalItems, Keyword::kDefinitions}) {
    if (view.has(keyword)) return true;
  }
  if (!view.text(Keyword::kRef).empty()) return true;
  const Value* preserve = view[Keyword::kPreserveUnknownFields];
  const Value* items = view[Keyword::kItems];
  if ((preserve != nullptr && !preserve->as_bool()) || (items != nullptr && items->is_array())) {
    return true;
  }
  for (const Keyword one : {Keyword::kItems, Keyword::kAdditionalProperties, Keyword::kNot}) {
    const Value* below = view.schema_at(one);
    if (below != nullptr && has_unsupported(*below)) return true;
  }
  for (const Keyword list : {Keyword::kAllOf, Keyword::kAnyOf, Keyword::kOneOf}) {
    if (!view.has(list)) continue;
    for (const Value& branch : view[list]->items()) {
      if (has_unsupported(branch)) return true;
    }
  }
  if (view.has(Keyword::kProperties)) {
    for (const json::Member& member : view[Keyword::kProperties]->members()) {
      if (has_unsupported(member.value)) return true;
    }
  }
  return false;
}

}  // namespace

bool is_meta_field(std::string_view name) {
  return name == "metadata" || name == "kind" || name == "apiVersion";
}

std::vector<CelRuleNode> check_schema(const Field& schema, bool status_enabled) {
  const std::size_t before = schema.errors().size();
  const auto failed = [&] { return schema.errors().size() > before; };
  if (status_enabled) check_status_root(schema);
  const Field nullable = schema["nullable"];
  if (nullable.flag()) nullable.forbidden("nullable cannot be true at the root");

  const bool unsupported = has_unsupported(*schema.value());
  bool structural = !unsupported;
  if (structural) {
    const std::size_t count = schema.errors().size();
    check_structural(schema);
    if (schema.errors().size() == count) {
      check_defaults(schema, schema::StructuralSchema::compile(*schema.value())->root());
    }
    structural = schema.errors().size() == count;
  }
  SchemaRules rules;
  rules.node(schema, {.root = true, .structure = structural});
  if (unsupported && !failed()) {
    schema.invalid_printed("\"\"", "OpenAPIV3Schema 'schema' is not supported");
  }
  return std::move(rules.sites);
}

}  // namespace tabernetes::registry::custom
