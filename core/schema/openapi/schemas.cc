#include "schema/openapi/schemas.h"

#include <algorithm>
#include <vector>

namespace tabernetes::schema::openapi {
namespace {

constexpr std::string_view kWatchEvent = "io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent";

struct Special {
  FieldType type;
  std::string_view name;
  std::string_view schema;
};

constexpr Special kSpecials[] = {
    {FieldType::kQuantity, "io.k8s.apimachinery.pkg.api.resource.Quantity",
     R"({"oneOf":[{"type":"string"},{"type":"number"}]})"},
    {FieldType::kIntOrString, "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
     R"({"format":"int-or-string","oneOf":[{"type":"integer"},{"type":"string"}]})"},
    {FieldType::kTime, "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
     R"({"type":"string","format":"date-time"})"},
    {FieldType::kMicroTime, "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
     R"({"type":"string","format":"date-time"})"},
    {FieldType::kDuration, "io.k8s.apimachinery.pkg.apis.meta.v1.Duration", R"({"type":"string"})"},
    {FieldType::kRawExtension, "io.k8s.apimachinery.pkg.runtime.RawExtension",
     R"({"type":"object"})"},
    {FieldType::kFieldsV1, "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", R"({"type":"object"})"},
    {FieldType::kJson, "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON", "{}"},
    {FieldType::kSchemaOrBool,
     "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool", "{}"},
    {FieldType::kSchemaOrArray,
     "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray", "{}"},
    {FieldType::kSchemaOrStringArray,
     "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray", "{}"},
};

// {"type":"integer","format":"int32"}: the members of a scalar's schema.
void write_scalar(FieldType type, JsonText& out) {
  switch (type) {
    case FieldType::kBoolean:
      out.member("type", "boolean");
      return;
    case FieldType::kInt32:
      out.member("type", "integer");
      out.member("format", "int32");
      return;
    case FieldType::kInt64:
      out.member("type", "integer");
      out.member("format", "int64");
      return;
    case FieldType::kNumber:
      out.member("type", "number");
      out.member("format", "double");
      return;
    case FieldType::kBytes:
      out.member("type", "string");
      out.member("format", "byte");
      return;
    case FieldType::kAny:
      return;
    default:
      out.member("type", "string");
  }
}

std::string_view zero_of(FieldType type) {
  switch (type) {
    case FieldType::kBoolean:
      return "false";
    case FieldType::kInt32:
    case FieldType::kInt64:
    case FieldType::kNumber:
      return "0";
    default:
      return R"("")";
  }
}

// The default of a field as JSON text; empty if it has none. A struct that is always there
// defaults to an empty one.
std::string_view default_of(const Field& field) {
  if (!field.default_json.empty()) return field.default_json;
  if (field.zero_default) return zero_of(field.type.type);
  if (field.type.type == FieldType::kRef && !field.pointer) return "{}";
  return {};
}

std::string_view list_type_name(ListType type) {
  switch (type) {
    case ListType::kSet:
      return "set";
    case ListType::kMap:
      return "map";
    case ListType::kAtomic:
      break;
  }
  return "atomic";
}

// The x-kubernetes- members of a field, by name.
void write_extensions(const Field& field, JsonText& out) {
  if (!field.list_map_keys.empty()) {
    out.array_member("x-kubernetes-list-map-keys", field.list_map_keys);
  }
  if (field.list_type_declared) {
    out.member("x-kubernetes-list-type", list_type_name(field.list_type));
  }
  if (field.map_type) {
    out.member("x-kubernetes-map-type",
               *field.map_type == MapType::kAtomic ? "atomic" : "granular");
  }
  if (!field.patch_merge_key.empty()) {
    out.member("x-kubernetes-patch-merge-key", field.patch_merge_key);
  }
  if (!field.patch_strategy.empty()) {
    out.member("x-kubernetes-patch-strategy", field.patch_strategy);
  }
}

void write_kind(std::string_view group, std::string_view version, std::string_view kind,
                JsonText& out) {
  out.open_object();
  out.member("group", group);
  out.member("kind", kind);
  out.member("version", version);
  out.close_object();
}

}  // namespace

std::string_view special_type_name(FieldType type) {
  for (const Special& special : kSpecials) {
    if (special.type == type) return special.name;
  }
  return {};
}

std::string_view Schemas::need(std::string_view name) {
  if (schemas_.emplace(name, std::string()).second) waiting_.push_back(name);
  return name;
}

void Schemas::write(JsonText& out) {
  while (!waiting_.empty()) {
    const std::string_view name = waiting_.back();
    waiting_.pop_back();
    schemas_[name] = schema_of(name);
  }
  out.open_object();
  for (const auto& [name, schema] : schemas_) out.raw_member(name, schema);
  out.close_object();
}

std::string Schemas::schema_of(std::string_view name) {
  for (const Special& special : kSpecials) {
    if (special.name == name) return std::string(special.schema);
  }
  JsonText out;
  out.open_object();
  out.member("type", "object");
  if (const Type* type = catalogue_.find_type(name)) {
    write_properties(*type, out);
    write_kinds(*type, out);
    if (type->atomic) out.member("x-kubernetes-map-type", "atomic");
  }
  out.close_object();
  return out.take();
}

void Schemas::write_properties(const Type& type, JsonText& out) {
  std::vector<std::string_view> required;
  std::vector<const Field*> fields = type.json_fields();
  for (const Field* field : fields) {
    if (field->required) required.push_back(field->name);
  }
  if (!required.empty()) out.array_member("required", required);
  if (fields.empty()) return;
  std::sort(fields.begin(), fields.end(),
            [](const Field* a, const Field* b) { return a->name < b->name; });
  out.open_object("properties");
  for (const Field* field : fields) write_property(*field, out);
  out.close_object();
}

void Schemas::write_property(const Field& field, JsonText& out) {
  const TypeRef& ref = field.type;
  const std::string_view fallback = default_of(field);
  const std::string_view target = ref.type == FieldType::kRef && ref.ref != nullptr
                                      ? ref.ref->name
                                      : special_type_name(ref.type);
  out.open_object(field.name);
  if (!target.empty()) {
    // A reference cannot have siblings, hence the detour.
    if (!fallback.empty()) out.raw_member("default", fallback);
    out.open_array("allOf");
    out.open_object();
    write_reference(target, out);
    out.close_object();
    out.close_array();
  } else if (ref.type == FieldType::kArray || ref.type == FieldType::kMap) {
    const bool array = ref.type == FieldType::kArray;
    out.member("type", array ? "array" : "object");
    if (!fallback.empty()) out.raw_member("default", fallback);
    out.open_object(array ? "items" : "additionalProperties");
    if (ref.element != nullptr) write_shape(*ref.element, out);
    out.close_object();
  } else {
    write_scalar(ref.type, out);
    if (!fallback.empty()) out.raw_member("default", fallback);
    if (!ref.enum_values.empty()) out.array_member("enum", ref.enum_values);
  }
  write_extensions(field, out);
  out.close_object();
}

// The members of the schema of an item or a map's value.
void Schemas::write_shape(const TypeRef& ref, JsonText& out) {
  if (ref.type == FieldType::kRef && ref.ref != nullptr) {
    write_reference(ref.ref->name, out);
  } else if (const std::string_view name = special_type_name(ref.type); !name.empty()) {
    write_reference(name, out);
  } else if (ref.type == FieldType::kArray || ref.type == FieldType::kMap) {
    const bool array = ref.type == FieldType::kArray;
    out.member("type", array ? "array" : "object");
    out.open_object(array ? "items" : "additionalProperties");
    if (ref.element != nullptr) write_shape(*ref.element, out);
    out.close_object();
  } else {
    write_scalar(ref.type, out);
    if (!ref.enum_values.empty()) out.array_member("enum", ref.enum_values);
  }
}

void Schemas::write_reference(std::string_view name, JsonText& out) {
  need(name);
  out.member("$ref", "#/components/schemas/" + std::string(name));
}

void Schemas::write_kinds(const Type& type, JsonText& out) {
  const bool of_every_group = &type == &catalogue_.delete_options() || type.name == kWatchEvent;
  if (!of_every_group && type.kind.empty()) return;
  out.open_array("x-kubernetes-group-version-kind");
  if (of_every_group) {
    write_kind("", "v1", type.go_name, out);
    if (!group_.empty()) write_kind(group_, version_, type.go_name, out);
  } else {
    write_kind(type.group, type.version, type.kind, out);
  }
  out.close_array();
}

}  // namespace tabernetes::schema::openapi
