#include "schema/openapi/schemas.h"

#include <set>
#include <utility>

#include "base/algorithm/sort.h"
#include "base/text/parts.h"
#include "schema/openapi/kind_name.h"

namespace tabernetes::schema::openapi {
namespace {

struct Special {
  FieldType type;
  std::string_view name;
  std::string_view schema;          // its members
  std::string_view schema_v2 = {};  // if different
};

constexpr Special kSpecials[] = {
    {FieldType::kQuantity, "io.k8s.apimachinery.pkg.api.resource.Quantity",
     R"("oneOf":[{"type":"string"},{"type":"number"}])", R"("type":"string")"},
    {FieldType::kIntOrString, "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
     R"("format":"int-or-string","oneOf":[{"type":"integer"},{"type":"string"}])",
     R"("type":"string","format":"int-or-string")"},
    {FieldType::kTime, "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
     R"("type":"string","format":"date-time")"},
    {FieldType::kMicroTime, "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
     R"("type":"string","format":"date-time")"},
    {FieldType::kDuration, "io.k8s.apimachinery.pkg.apis.meta.v1.Duration", R"("type":"string")"},
    {FieldType::kRawExtension, "io.k8s.apimachinery.pkg.runtime.RawExtension",
     R"("type":"object")"},
    {FieldType::kFieldsV1, "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", R"("type":"object")"},
    {FieldType::kJson, "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON", ""},
    {FieldType::kSchemaOrBool,
     "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool", ""},
    {FieldType::kSchemaOrArray,
     "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray", ""},
    {FieldType::kSchemaOrStringArray,
     "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray", ""},
};

// Writes the members of a scalar's schema: "type":"integer","format":"int32".
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

// Returns the name of a type with an encoding of its own; empty for all others.
std::string_view special_type_name(FieldType type) {
  for (const Special& special : kSpecials) {
    if (special.type == type) return special.name;
  }
  return {};
}

// Returns the type that a schema refers to; empty if the schema is written in place.
std::string_view target_of(const TypeRef& ref) {
  if (ref.type == FieldType::kRef && ref.ref != nullptr) return ref.ref->name;
  return special_type_name(ref.type);
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

// Returns the default of a field as JSON text, or an empty text. A struct that is not a pointer
// defaults to {}.
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

// Writes the x-kubernetes- members of a field, by name.
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

// Returns whether the field has a description in the real server. Without description and default a
// field is a plain reference in v3, as in the real server's documents.
bool is_described(const Type& type, const Field& field) {
  if (type.go_name == "JSONSchemaProps") return field.name == "default";
  return field.name != "http" || type.go_name != "IngressRule";
}

// Group versions that kube-apiserver registers but cannot serve: kinds of every group list them in
// v2. Upstream 1.36: the groups registered in its scheme.
constexpr std::pair<std::string_view, std::string_view> kUnserved[] = {
    {"admission.k8s.io", "v1"},
    {"admission.k8s.io", "v1beta1"},
    {"apiextensions.k8s.io", "v1beta1"},
    {"apiregistration.k8s.io", "v1beta1"},
    {"apps", "v1beta1"},
    {"apps", "v1beta2"},
    {"authentication.k8s.io", "v1alpha1"},
    {"authentication.k8s.io", "v1beta1"},
    {"authorization.k8s.io", "v1beta1"},
    {"batch", "v1beta1"},
    {"discovery.k8s.io", "v1beta1"},
    {"events.k8s.io", "v1beta1"},
    {"extensions", "v1beta1"},
    {"flowcontrol.apiserver.k8s.io", "v1beta1"},
    {"flowcontrol.apiserver.k8s.io", "v1beta2"},
    {"flowcontrol.apiserver.k8s.io", "v1beta3"},
    {"imagepolicy.k8s.io", "v1alpha1"},
    {"node.k8s.io", "v1alpha1"},
    {"node.k8s.io", "v1beta1"},
    {"policy", "v1beta1"},
    {"rbac.authorization.k8s.io", "v1alpha1"},
    {"rbac.authorization.k8s.io", "v1beta1"},
    {"scheduling.k8s.io", "v1beta1"},
    {"storage.k8s.io", "v1alpha1"},
};

using GroupVersions = std::set<std::pair<std::string_view, std::string_view>>;

GroupVersions every_group_version(const Catalogue& catalogue) {
  GroupVersions all(std::begin(kUnserved), std::end(kUnserved));
  for (const Group& group : catalogue.groups()) {
    for (const ServedVersion& version : group.versions) all.emplace(group.name, version.version);
  }
  return all;
}

}  // namespace

void Schemas::write_schema_member(std::string_view type_name, JsonText& out) {
  out.open_object("schema");
  if (type_name.empty()) {
    out.member("type", "string");
  } else {
    write_reference(type_name, out);
  }
  out.close_object();
}

void Schemas::add(std::string_view name, std::string schema) {
  schemas_[name] = std::move(schema);
  JsonText unused;
  for (const std::string_view metadata : {"ObjectMeta", "ListMeta"}) {
    const Type* type =
        catalogue_.find_type("io.k8s.apimachinery.pkg.apis.meta.v1." + std::string(metadata));
    unused.open_object();
    write_reference(type->name, unused);
  }
}

void Schemas::write(JsonText& out) {
  while (!waiting_.empty()) {
    const std::string_view name = waiting_.back();
    waiting_.pop_back();
    schemas_[name] = schema_of(name);
  }
  out.open_object();
  for (auto& [name, schema] : schemas_) {
    out.raw_member(name, schema);
    schema = {};  // the document has the text now
  }
  out.close_object();
}

std::string Schemas::schema_of(std::string_view name) {
  JsonText out;
  out.open_object();
  write_description(descriptions_.of_type(name), out);
  for (const Special& special : kSpecials) {
    if (special.name != name) continue;
    const bool differs = dialect_ == Dialect::kV2 && !special.schema_v2.empty();
    const std::string_view members = differs ? special.schema_v2 : special.schema;
    if (!members.empty()) out.raw(members);
    out.close_object();
    return out.take();
  }
  out.member("type", "object");
  if (const Type* type = catalogue_.find_type(name)) {
    write_properties(*type, out);
    write_kinds(*type, out);
    if (type->atomic) out.member("x-kubernetes-map-type", "atomic");
    if (!type->unions_json.empty()) out.raw_member("x-kubernetes-unions", type->unions_json);
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
  sort_stable(fields, [](const Field* a, const Field* b) { return a->name < b->name; });
  out.open_object("properties");
  for (const Field* field : fields) write_property(type, *field, out);
  out.close_object();
}

void Schemas::write_property(const Type& type, const Field& field, JsonText& out) {
  const TypeRef& ref = field.type;
  // v2 documents have no defaults.
  const std::string_view fallback =
      dialect_ == Dialect::kV2 ? std::string_view() : default_of(field);
  out.open_object(field.name);
  write_description(descriptions_.of_field(type.name, field.name), out);
  if (const std::string_view target = target_of(ref); !target.empty()) {
    // In v3 a reference cannot have siblings, hence allOf.
    const bool alone = fallback.empty() && !is_described(type, field);
    if (dialect_ == Dialect::kV2 || alone) {
      write_reference(target, out);
    } else {
      if (!fallback.empty()) out.raw_member("default", fallback);
      out.open_array("allOf");
      out.open_object();
      write_reference(target, out);
      out.close_object();
      out.close_array();
    }
  } else {
    write_own_shape(ref, fallback, out);
  }
  write_extensions(field, out);
  out.close_object();
}

void Schemas::write_description(std::string_view text, JsonText& out) const {
  const std::size_t values = enums_ ? std::string_view::npos : text.find("Possible enum values:");
  out.description(values == std::string_view::npos ? text : trim(text.substr(0, values), " \n"),
                  dialect_);
}

// Writes the members of a schema that is not a reference.
void Schemas::write_own_shape(const TypeRef& ref, std::string_view fallback, JsonText& out) {
  const bool array = ref.type == FieldType::kArray;
  const bool collection = array || ref.type == FieldType::kMap;
  if (collection) {
    out.member("type", array ? "array" : "object");
  } else {
    write_scalar(ref.type, out);
  }
  if (!fallback.empty()) out.raw_member("default", fallback);
  if (collection) {
    out.open_object(array ? "items" : "additionalProperties");
    if (ref.element != nullptr) write_element(*ref.element, out);
    out.close_object();
  } else if (enums_ && !ref.enum_values.empty()) {
    out.array_member("enum", ref.enum_values);
  }
}

// Writes the members of the schema of a list's item or a map's value.
void Schemas::write_element(const TypeRef& ref, JsonText& out) {
  if (const std::string_view target = target_of(ref); !target.empty()) {
    write_reference(target, out);
  } else {
    write_own_shape(ref, {}, out);
  }
}

void Schemas::write_reference(std::string_view name, JsonText& out) {
  if (schemas_.emplace(name, std::string()).second) waiting_.push_back(name);
  out.member("$ref", reference_to(dialect_, name));
}

void Schemas::write_kinds(const Type& type, JsonText& out) {
  const bool of_every_group = type.published == PublishedKind::kAll;
  if (!of_every_group && type.kind.empty()) return;
  out.open_array("x-kubernetes-group-version-kind");
  if (!of_every_group) {
    write_kind({type.group, type.version, type.kind}, out);
  } else if (dialect_ == Dialect::kV2) {
    for (const auto& [group, version] : every_group_version(catalogue_)) {
      write_kind({group, version, type.go_name}, out);
    }
  } else {
    write_kind({"", "v1", type.go_name}, out);
    if (!group_.empty()) write_kind({group_, version_, type.go_name}, out);
  }
  out.close_array();
}

}  // namespace tabernetes::schema::openapi
