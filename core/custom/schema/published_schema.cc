#include "custom/schema/published_schema.h"

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/access.h"

namespace tabernetes::registry::custom {
namespace {

using json::Arena;
using json::Value;
using schema::openapi::Dialect;

constexpr std::string_view kMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.";
constexpr int kDeepestSchema = 256;

constexpr std::string_view kTypeMeta =
    R"({"apiVersion":{"description":"APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources","type":"string"},"kind":{"description":"Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds","type":"string"}})";

// Returns the property for metadata.
Value metadata_property(std::string_view type, Dialect dialect, Arena& arena) {
  const bool list = type == "ListMeta";
  const std::string description =
      std::string(list ? "Standard list metadata" : "Standard object's metadata") +
      ". More info: https://git.k8s.io/community/contributors/devel/sig-architecture/"
      "api-conventions.md#" +
      (list ? "types-kinds" : "metadata");
  Value property = Value::object(arena);
  property.append(arena, "description", Value::string(arena.copy(description)));
  Value reference = Value::object(arena);
  reference.append(arena, "$ref",
                   Value::string(arena.copy(schema::openapi::reference_to(
                       dialect, std::string(kMeta) + std::string(type)))));
  if (dialect == Dialect::kV2) {
    property.append(arena, "$ref", reference.members()[0].value);
  } else {
    Value all = Value::array(arena);
    all.push_back(arena, reference);
    property.append(arena, "allOf", all);
  }
  return property;
}

// Adds the properties of every object: kind, apiVersion and metadata.
void add_meta(Value& properties, std::string_view metadata, Dialect dialect, Arena& arena) {
  for (const json::Member& member : codec::read_json(kTypeMeta, arena).value.members()) {
    properties.set(arena, member.key, member.value);
  }
  properties.set(arena, "metadata", metadata_property(metadata, dialect, arena));
  properties.sort_members();
}

bool is_extension(std::string_view name) { return name.starts_with("x-kubernetes-"); }

// Returns true for keywords that OpenAPI v2 does not have.
bool is_beyond_v2(std::string_view name) {
  return name == "oneOf" || name == "anyOf" || name == "allOf" || name == "not" ||
         name == "nullable" || name == "default";
}

class Publisher {
 public:
  Publisher(Dialect dialect, Arena& arena) : dialect_(dialect), arena_(arena) {}

  Value node(const Value& schema, bool embedded_allowed, int depth) {
    Value out = Value::object(arena_);
    if (!schema.is_object() || depth > kDeepestSchema) return out;
    const bool preserves = bool_at(schema, {"x-kubernetes-preserve-unknown-fields"});
    const bool untyped = bool_at(schema, {"nullable"}) || preserves ||
                         bool_at(schema, {"x-kubernetes-int-or-string"});
    for (const json::Member& member : schema.members()) {
      if (dialect_ == Dialect::kV2 && is_beyond_v2(member.key)) continue;
      if (dialect_ == Dialect::kV2 && depth > 0 && untyped && !is_extension(member.key) &&
          member.key != "description") {
        continue;
      }
      out.append(arena_, member.key, part(member, depth));
    }
    const bool embedded = bool_at(schema, {"x-kubernetes-embedded-resource"});
    if (embedded_allowed && embedded && dialect_ == Dialect::kV3) add_embedded(out);
    return out;
  }

 private:
  Value part(const json::Member& member, int depth) {
    if (member.key == "properties") {
      Value properties = Value::object(arena_);
      for (const json::Member& property : member.value.members()) {
        properties.append(arena_, property.key, node(property.value, true, depth + 1));
      }
      properties.sort_members();
      return properties;
    }
    const bool holds_schema = member.key == "items" || member.key == "additionalProperties";
    if (holds_schema && member.value.is_object()) return node(member.value, true, depth + 1);
    return member.value;
  }

  void add_embedded(Value& out) {
    if (out.find("properties") == nullptr) out.append(arena_, "properties", Value::object(arena_));
    add_meta(*out.find("properties"), "ObjectMeta", dialect_, arena_);
    Value required = Value::array(arena_);
    if (const Value* known = out.find("required")) {
      for (const Value& name : known->items()) required.push_back(arena_, name);
    }
    required.push_back(arena_, Value::string("kind"));
    required.push_back(arena_, Value::string("apiVersion"));
    out.set(arena_, "required", required);
  }

  const Dialect dialect_;
  Arena& arena_;
};

void add_kind(Value& out, const PublishedKind& kind, std::string_view name, Arena& arena) {
  Value own = Value::object(arena);
  own.append(arena, "group", Value::string(kind.group));
  own.append(arena, "kind", Value::string(name));
  own.append(arena, "version", Value::string(kind.version));
  Value kinds = Value::array(arena);
  kinds.push_back(arena, own);
  out.append(arena, "x-kubernetes-group-version-kind", kinds);
}

}  // namespace

std::string published_schema(const PublishedKind& kind, const Value& open_api, Dialect dialect) {
  Arena arena;
  Value out = Publisher(dialect, arena).node(open_api, false, 0);
  if (out.find("type") == nullptr) out.append(arena, "type", Value::string("object"));
  const bool preserves = bool_at(open_api, {"x-kubernetes-preserve-unknown-fields"});
  if (dialect == Dialect::kV3 || !preserves) {
    if (out.find("properties") == nullptr) out.append(arena, "properties", Value::object(arena));
    add_meta(*out.find("properties"), "ObjectMeta", dialect, arena);
  }
  add_kind(out, kind, kind.kind, arena);
  return codec::json_text(out);
}

std::string published_list_schema(const PublishedKind& kind, std::string_view type_name,
                                  Dialect dialect) {
  Arena arena;
  const std::string description =
      std::string(kind.list_kind) + " is a list of " + std::string(kind.kind);
  const std::string items_description =
      "List of " + std::string(kind.plural) +
      ". More info: https://git.k8s.io/community/contributors/devel/sig-architecture/"
      "api-conventions.md";
  Value item = Value::object(arena);
  item.append(arena, "$ref",
              Value::string(arena.copy(schema::openapi::reference_to(dialect, type_name))));
  Value items = Value::object(arena);
  items.append(arena, "description", Value::string(items_description));
  items.append(arena, "type", Value::string("array"));
  items.append(arena, "items", item);
  Value properties = Value::object(arena);
  properties.append(arena, "items", items);
  add_meta(properties, "ListMeta", dialect, arena);
  Value required = Value::array(arena);
  required.push_back(arena, Value::string("items"));
  Value out = Value::object(arena);
  out.append(arena, "description", Value::string(description));
  out.append(arena, "type", Value::string("object"));
  out.append(arena, "required", required);
  out.append(arena, "properties", properties);
  add_kind(out, kind, kind.list_kind, arena);
  return codec::json_text(out);
}

}  // namespace tabernetes::registry::custom
