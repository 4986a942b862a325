// The schema model of the built-in kinds (from the catalogue); codec, defaulting, pruning, both
// merges, tables and OpenAPI read it. Custom resources have StructuralSchema in structural.h.
// Facts: data of Kubernetes 1.36; the meaning of each property is described beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tabernetes::schema {

enum class FieldType : std::uint8_t {
  kString,
  kBoolean,
  kInt32,
  kInt64,
  kNumber,  // float64
  kBytes,   // base64 text in JSON
  kArray,   // list of `element`
  kMap,     // string keys, values of `element`
  kRef,     // an object of type `ref`
  kAny,
  kQuantity,
  kIntOrString,
  kTime,
  kMicroTime,
  kDuration,
  kRawExtension,  // free-form JSON
  kFieldsV1,
  kJson,
  kSchemaOrBool,  // the unions of JSONSchemaProps, which is in `ref`
  kSchemaOrArray,
  kSchemaOrStringArray,
};

// When a field is omitted from the output.
enum class Omit : std::uint8_t { kNever, kEmpty, kZero };

// The output for an unset field. kZero: 0, or "0" for a quantity. kEmptyObject: an object with the
// emitted fields of its own type.
enum class Emit : std::uint8_t { kNothing, kNull, kEmptyString, kZero, kFalse, kEmptyObject };

enum class ListType : std::uint8_t { kAtomic, kSet, kMap };
enum class MapType : std::uint8_t { kGranular, kAtomic };

// When protobuf writes a field: always, if set, if not null (even if empty), per element.
enum class ProtoPresence : std::uint8_t { kNone, kAlways, kPointer, kNonNil, kRepeated, kMap };

// How OpenAPI publishes a type as a kind: not at all, under its own group and version, or under
// every group (DeleteOptions, WatchEvent).
enum class PublishedKind : std::uint8_t { kNo, kOwn, kAll };

struct Type;

struct TypeRef {
  FieldType type = FieldType::kAny;
  const Type* ref = nullptr;                  // kRef and the kSchemaOr... unions
  const TypeRef* element = nullptr;           // kArray: items, kMap: values
  std::vector<std::string_view> enum_values;  // sorted
};

struct Field {
  std::string_view name;  // JSON name; empty for an inlined struct
  TypeRef type;
  // The Go type where the schema does not imply it, for error messages: "v1.PodPhase".
  std::string_view go_type;
  bool pointer = false;    // unset differs from zero
  bool inlined = false;    // replaced by the JSON fields of type.ref
  bool type_meta = false;  // kind or apiVersion of a root kind
  bool required = false;
  bool zero_default = false;      // OpenAPI publishes the zero value as default
  std::string_view default_json;  // OpenAPI default as JSON text; empty if it has none
  Omit omit = Omit::kNever;
  Emit emit = Emit::kNothing;
  std::uint16_t proto_number = 0;  // 0: no protobuf form; `type` implies the wire type
  ProtoPresence proto_presence = ProtoPresence::kNone;
  bool proto_wrap = false;  // wrapped in a message with one repeated field 1
  // Strategic merge patch.
  std::string_view patch_strategy;  // "merge", "retainKeys", "merge,retainKeys", "replace" or ""
  std::string_view patch_merge_key;
  // Server-side apply.
  ListType list_type = ListType::kAtomic;
  bool list_type_declared = false;  // published by the type; an undeclared list is atomic too
  std::vector<std::string_view> list_map_keys;
  std::optional<MapType> map_type;  // of a map or struct field; overrides the type's own
  // Indexes in Catalogue::feature_gates() of the gates that guard it: see GatedFields.
  std::vector<std::uint8_t> feature_gates;
  std::string_view gated_member;  // guarded only if it has this member; empty: always guarded
  bool gated_alone = false;       // kept only if the old object used this very field
  bool ungated = false;           // gates of the fields below it do not count
  bool prune = false;             // removed when gates leave it empty
};

// The maximum number of JSON fields of a type, inlined ones included.
inline constexpr std::size_t kMostFields = 64;

struct Type {
  std::string_view name;        // "io.k8s.api.core.v1.PodSpec"
  std::string_view go_name;     // "PodSpec": the last part, as in decode errors
  std::string_view go_package;  // "v1": as in "[]v1.Container"
  std::vector<Field> fields;    // Go declaration order, which is the order of JSON output
  bool atomic = false;          // server-side apply owns it as a whole
  bool in_openapi = true;
  bool has_proto = true;
  bool open = false;                    // a root that keeps unknown members unchanged
  bool holds_bytes_or_floats = false;   // kBytes or kNumber, in itself or below
  FieldType special = FieldType::kRef;  // if not kRef, the type has its own encoding and no fields
  // Set for root kinds, options and reviews included; otherwise empty.
  std::string_view group, version, kind;
  PublishedKind published = PublishedKind::kNo;
  std::string_view unions_json;  // x-kubernetes-unions as JSON text; may be empty

  // Returns the field with this JSON name, inlined structs included, or null.
  const Field* find(std::string_view json_name) const;
  // Returns whether the type begins with kind and apiVersion.
  bool has_type_meta() const { return !fields.empty() && fields[0].type_meta; }
  // Returns every JSON field in output order, inlined structs resolved.
  const std::vector<const Field*>& json_fields() const { return flattened; }

  std::vector<const Field*> flattened;        // filled by the catalogue
  std::uint64_t emitted = 0;                  // bits of those fields that are always written
  std::vector<std::uint16_t> by_name;         // indexes into `flattened`, sorted by name
  std::vector<const Field*> by_proto_number;  // those of `fields` with a protobuf number, ascending
};

struct Subresource {
  std::string_view name;  // "status"
  std::string_view group, version, kind;
  const Type* type = nullptr;
  std::vector<std::string_view> verbs;
};

struct FieldLabelAlias {
  std::string_view label, canonical;
};

// A resource as discovery lists it.
struct Resource {
  std::string_view group, version, kind;
  const Type* type = nullptr;
  std::string_view list_kind;  // empty: cannot be listed
  const Type* list_type = nullptr;
  std::string_view plural, singular;
  std::vector<std::string_view> short_names, categories;
  bool namespaced = false;
  std::vector<std::string_view> verbs;  // sorted
  std::string_view storage_version_hash;
  std::vector<Subresource> subresources;  // sorted by name
  std::vector<std::string_view> selectable_fields;
  std::vector<FieldLabelAlias> selectable_field_aliases;
  bool served_by_default = true;

  bool has_verb(std::string_view verb) const;
  const Subresource* find_subresource(std::string_view name) const;
};

struct ServedVersion {
  std::string_view version;
  bool served_by_default = true;
  int priority = 0;
  std::vector<const Resource*> resources;  // sorted by plural
};

struct Group {
  std::string_view name;
  int priority = 0;
  std::vector<ServedVersion> versions;  // in order of preference
  bool custom = false;                  // the group's resources are custom
};

struct Column {
  std::string_view name, type, format, description;
  int priority = 0;
};

// The table columns of a kind (the same for all versions of a group).
struct PrintedKind {
  std::vector<std::string_view> groups;
  std::string_view kind;
  std::vector<Column> columns;
};

enum class GateStage : std::uint8_t { kAlpha, kBeta, kGeneral, kDeprecated };

struct FeatureGate {
  std::string_view name;
  bool enabled_by_default = false;
  bool locked = false;  // its default cannot be changed
  GateStage stage = GateStage::kGeneral;
  std::vector<std::uint8_t> needs;  // indexes of the gates that must be on when it is on
};

// All built-in kinds of Kubernetes 1.36, compiled from the texts in core/schema/catalogue/.
// Immutable; every view and pointer lives as long as the program.
class Catalogue {
 public:
  static const Catalogue& built_in();

  const std::vector<Group>& groups() const { return groups_; }  // discovery order
  const std::vector<Resource>& resources() const { return resources_; }
  const std::vector<FeatureGate>& feature_gates() const {
    return feature_gates_;
  }  // sorted by name

  std::string_view kubernetes_version() const { return kubernetes_version_; }  // "v1.36.2"
  const std::vector<Type>& types() const { return types_; }                    // sorted by name

  // The find functions return null if there is no match. `plural` is the name in paths.
  const Resource* find_resource(std::string_view group, std::string_view version,
                                std::string_view plural) const;
  const Type* find_type(std::string_view name) const;
  // Returns the root type of a kind, option kinds included.
  const Type* find_kind(std::string_view group, std::string_view version,
                        std::string_view kind) const;
  // Returns null if the kind uses the default table.
  const PrintedKind* find_printed(std::string_view group, std::string_view kind) const;
  const PrintedKind& default_table() const { return default_table_; }
  // Returns null if kube-apiserver has no such gate.
  const FeatureGate* find_gate(std::string_view name) const;

  // Types that generic code needs.
  const Type& object_meta() const { return *object_meta_; }
  const Type& delete_options() const { return *delete_options_; }

 private:
  Catalogue() = default;
  friend class CatalogueReader;

  std::string_view kubernetes_version_;
  std::vector<Group> groups_;
  std::vector<Resource> resources_;
  std::vector<Type> types_;
  std::vector<TypeRef> elements_;
  std::vector<const Type*> kinds_;  // sorted by kind
  std::vector<PrintedKind> printed_;
  PrintedKind default_table_;
  std::vector<FeatureGate> feature_gates_;
  const Type* object_meta_ = nullptr;
  const Type* delete_options_ = nullptr;
};

}  // namespace tabernetes::schema
