#include "cel/type.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/text/ascii.h"
#include "cel/message_type.h"

namespace tabernetes::cel {
namespace {

constexpr std::int64_t kRequestBytes = std::int64_t{3} * 1024 * 1024;

struct KindName {
  std::string_view printed;  // by the checker
  std::string_view runtime;  // by values
};

// In the order of Kind.
constexpr KindName kNames[] = {
    {"!error!", "error"},
    {"dyn", "dyn"},
    {"null", "null_type"},
    {"bool", "bool"},
    {"int", "int"},
    {"uint", "uint"},
    {"double", "double"},
    {"string", "string"},
    {"bytes", "bytes"},
    {"duration", "google.protobuf.Duration"},
    {"timestamp", "google.protobuf.Timestamp"},
    {"type", "type"},
    {"list", "list"},
    {"map", "map"},
    {"object", "object"},
    {"optional_type", "optional_type"},
    {"kubernetes.URL", "kubernetes.URL"},
    {"kubernetes.Quantity", "kubernetes.Quantity"},
    {"net.IP", "net.IP"},
    {"net.CIDR", "net.CIDR"},
    {"kubernetes.Semver", "kubernetes.Semver"},
    {"kubernetes.NamedFormat", "kubernetes.NamedFormat"},
    {"kubernetes.authorization.Authorizer", ""},
    {"kubernetes.authorization.PathCheck", ""},
    {"kubernetes.authorization.GroupCheck", ""},
    {"kubernetes.authorization.ResourceCheck", ""},
    {"kubernetes.authorization.Decision", ""},
    {"unknown", "unknown"},
    {"", ""},
};
constexpr std::size_t kKinds = sizeof kNames / sizeof kNames[0];

Type* new_type(Kind kind, json::Arena& arena) {
  Type* type = new (arena.allocate(sizeof(Type))) Type{};
  type->kind = kind;
  return type;
}

const Field* keep_fields(const std::vector<Field>& fields, json::Arena& arena) {
  Field* kept = arena.allocate_array<Field>(fields.size());
  std::uninitialized_copy(fields.begin(), fields.end(), kept);
  return kept;
}

constexpr std::string_view kReserved[] = {
    "true",     "false",   "null",      "in",       "as",  "break",  "const",
    "continue", "else",    "for",       "function", "if",  "import", "let",
    "loop",     "package", "namespace", "return",   "var", "void",   "while"};

bool is_reserved(std::string_view word) {
  return std::find(std::begin(kReserved), std::end(kReserved), word) != std::end(kReserved);
}

// Builds types from schemas.
class Reader {
 public:
  explicit Reader(json::Arena& arena) : arena_(arena) {}

  Type* read(const json::Value& schema, bool root) {
    if (flag(schema, "x-kubernetes-int-or-string")) return int_or_string(schema);
    const std::string_view type = schema.string_at("type");
    Type* made = type == "array"     ? list(schema)
                 : type == "object"  ? object(schema, root)
                 : type == "string"  ? text(schema)
                 : type == "boolean" ? scalar(Kind::kBool, 4)
                 : type == "number"  ? scalar(Kind::kDouble, 1)
                 : type == "integer" ? scalar(Kind::kInt, 1)
                                     : unknown();
    made->nullable = flag(schema, "nullable");
    return made;
  }

 private:
  static bool flag(const json::Value& schema, std::string_view name) {
    const json::Value* found = schema.find(name);
    return found != nullptr && found->is_bool() && found->as_bool();
  }

  // Returns a limit of the schema, or -1.
  static std::int64_t limit(const json::Value& schema, std::string_view name) {
    const json::Value* found = schema.find(name);
    if (found == nullptr || !found->is_int()) return -1;
    return std::max<std::int64_t>(found->as_int(), 0);
  }

  // Data without a type can be kept and compared.
  Type* unknown() {
    Type* made = new_type(Kind::kUnknown, arena_);
    made->exposed = false;
    return made;
  }

  Type* scalar(Kind kind, std::int64_t min_size, std::int64_t max_elements = 0) {
    Type* made = new_type(kind, arena_);
    made->min_size = min_size;
    made->max_elements = max_elements;
    return made;
  }

  Type* int_or_string(const json::Value& schema) {
    Type* made = scalar(Kind::kDyn, 1, text_limit(schema));
    made->special = true;
    made->nullable = flag(schema, "nullable");
    return made;
  }

  // A character may take four bytes.
  static std::int64_t text_limit(const json::Value& schema) {
    const std::int64_t length = limit(schema, "maxLength");
    if (length >= 0) return length > kRequestBytes ? length : length * 4;
    return kRequestBytes - 2;
  }

  Type* text(const json::Value& schema) {
    const std::string_view format = schema.string_at("format");
    if (format == "byte") {
      const std::int64_t length = limit(schema, "maxLength");
      return scalar(Kind::kBytes, 2, length >= 0 ? length : kRequestBytes - 2);
    }
    if (format == "duration") return scalar(Kind::kDuration, 3, 32);
    if (format == "date-time") return scalar(Kind::kTimestamp, 21, 32);
    if (format == "date") {
      Type* made = scalar(Kind::kTimestamp, 12, 12);
      made->special = true;
      return made;
    }
    const json::Value* values = schema.find("enum");
    if (values == nullptr || !values->is_array() || values->size() == 0 ||
        limit(schema, "maxLength") >= 0) {
      return scalar(Kind::kString, 2, text_limit(schema));
    }
    std::size_t longest = 0;
    for (const json::Value& value : values->items()) {
      if (value.is_string()) longest = std::max(longest, value.as_string().size());
    }
    return scalar(Kind::kString, 2, static_cast<std::int64_t>(longest));
  }

  Type* adopt(Type* child, const Type* parent, std::string_view step) {
    child->parent = parent;
    child->name = step;
    return child;
  }

  Type* element(const json::Value& schema, const Type* parent, std::string_view step) {
    return adopt(read(schema, flag(schema, "x-kubernetes-embedded-resource")), parent, step);
  }

  Type* list(const json::Value& schema) {
    const json::Value* items = schema.find("items");
    if (items == nullptr || !items->is_object()) return unknown();
    Type* made = new_type(Kind::kList, arena_);
    made->element = element(*items, made, "@idx");
    made->exposed = made->element->exposed;
    made->min_size = 2;
    const std::int64_t most = limit(schema, "maxItems");
    made->max_elements = most >= 0 ? most : (kRequestBytes - 2) / (made->element->min_size + 1);
    const std::string_view kind = schema.string_at("x-kubernetes-list-type");
    if (kind == "set") made->list_type = ListType::kSet;
    if (kind == "map") {
      made->list_type = ListType::kMap;
      const json::Value* keys = schema.find("x-kubernetes-list-map-keys");
      if (keys != nullptr) made->list_keys = keys->clone(arena_);
    }
    return made;
  }

  Type* object(const json::Value& schema, bool root) {
    const json::Value* additional = schema.find("additionalProperties");
    const json::Value* properties = schema.find("properties");
    const bool has_fields = root || (properties != nullptr && properties->size() > 0);
    if (additional == nullptr || !additional->is_object() || has_fields) {
      return structure(schema, properties, root);
    }
    Type* made = new_type(Kind::kMap, arena_);
    made->key = &simple_type(Kind::kString);
    made->element = element(*additional, made, "@elem");
    made->exposed = made->element->exposed;
    made->min_size = 2;
    const std::int64_t most = limit(schema, "maxProperties");
    made->max_elements = most >= 0 ? most : (kRequestBytes - 2) / (made->element->min_size + 6);
    return made;
  }

  static bool is_required(const json::Value& schema, std::string_view name) {
    const json::Value* required = schema.find("required");
    if (required == nullptr || !required->is_array()) return false;
    for (const json::Value& item : required->items()) {
      if (item.is_string() && item.as_string() == name) return true;
    }
    return false;
  }

  static std::string_view member_type(const json::Value* properties,
                                      std::initializer_list<std::string_view> path) {
    const json::Value* member = properties == nullptr ? nullptr : properties->at(path);
    return member == nullptr ? std::string_view() : member->string_at("type");
  }

  // Returns whether a resource's schema declares all members that expressions may use without it.
  static bool has_type_and_name(const json::Value* properties) {
    return member_type(properties, {"kind"}) == "string" &&
           member_type(properties, {"apiVersion"}) == "string" &&
           member_type(properties, {"metadata"}) == "object" &&
           member_type(properties, {"metadata", "properties", "name"}) == "string" &&
           member_type(properties, {"metadata", "properties", "generateName"}) == "string";
  }

  void add_field(std::vector<Field>& fields, const Type* parent, std::string_view key, Type* type) {
    const std::string name = escape_field(key);
    Field field;
    field.key = arena_.copy(key);
    // A field whose name cannot be escaped keeps its type, for comparisons.
    field.name = name.empty() ? std::string_view() : name == key ? field.key : arena_.copy(name);
    field.type = adopt(type, parent, field.key);
    fields.push_back(field);
  }

  // Adds the members that every resource has whatever its schema.
  void add_type_and_name(std::vector<Field>& fields, Type* parent) {
    for (const std::string_view key : {"kind", "apiVersion"}) {
      add_field(fields, parent, key, scalar(Kind::kString, 2, kRequestBytes - 2));
    }
    Type* metadata = scalar(Kind::kStruct, 2);
    std::vector<Field> names;
    for (const std::string_view key : {"name", "generateName"}) {
      add_field(names, metadata, key, scalar(Kind::kString, 2, kRequestBytes - 2));
    }
    keep(names, metadata);
    add_field(fields, parent, "metadata", metadata);
  }

  void keep(std::vector<Field>& fields, Type* made) {
    sort_stable(fields, [](const Field& a, const Field& b) { return a.name < b.name; });
    made->fields = keep_fields(fields, arena_);
    made->field_count = static_cast<std::uint32_t>(fields.size());
  }

  Type* structure(const json::Value& schema, const json::Value* properties, bool root) {
    Type* made = scalar(Kind::kStruct, 2);
    std::vector<Field> fields;
    const bool add_names = root && !has_type_and_name(properties);
    if (add_names) add_type_and_name(fields, made);
    if (properties != nullptr && properties->is_object()) {
      for (const json::Member& member : properties->members()) {
        if (add_names &&
            (member.key == "kind" || member.key == "apiVersion" || member.key == "metadata")) {
          continue;
        }
        Type* type = read(member.value, flag(member.value, "x-kubernetes-embedded-resource"));
        const json::Value* preset = member.value.find("default");
        if (type->exposed && is_required(schema, member.key) &&
            (preset == nullptr || preset->is_null())) {
          made->min_size += static_cast<std::int64_t>(member.key.size()) + type->min_size + 4;
        }
        add_field(fields, made, member.key, type);
      }
    }
    keep(fields, made);
    return made;
  }

  json::Arena& arena_;
};

// Returns kube-apiserver's generated name for a structure, its path in the schema.
std::string structure_name(const Type& type) {
  if (type.parent == nullptr) return "selfType1";
  return structure_name(*type.parent) + "." + std::string(type.name);
}

}  // namespace

const Field* Type::field(std::string_view wanted) const {
  const Field* end = fields + field_count;
  const Field* found = std::lower_bound(
      fields, end, wanted, [](const Field& f, std::string_view other) { return f.name < other; });
  if (found != end && found->name == wanted && !wanted.empty()) return found;
  // A reserved word is valid where it is unambiguous.
  return is_reserved(wanted) ? field("__" + std::string(wanted) + "__") : nullptr;
}

const Type& simple_type(Kind kind) {
  struct Table {
    Type types[kKinds];
    Table() {
      for (std::size_t i = 0; i < kKinds; ++i) types[i].kind = static_cast<Kind>(i);
    }
  };
  static const Table table;
  return table.types[static_cast<std::size_t>(kind)];
}

const Type* list_of(const Type& element, json::Arena& arena) {
  Type* made = new_type(Kind::kList, arena);
  made->element = &element;
  return made;
}

const Type* map_of(const Type& key, const Type& element, json::Arena& arena) {
  Type* made = new_type(Kind::kMap, arena);
  made->key = &key;
  made->element = &element;
  return made;
}

const Type* struct_of(const std::vector<Field>& fields, json::Arena& arena) {
  Type* made = new_type(Kind::kStruct, arena);
  made->fields = keep_fields(fields, arena);
  made->field_count = static_cast<std::uint32_t>(fields.size());
  return made;
}

const Type* optional_of(const Type& element, json::Arena& arena) {
  Type* made = new_type(Kind::kOptional, arena);
  made->element = &element;
  return made;
}

const Type* type_of(const Type& type, json::Arena& arena) {
  Type* made = new_type(Kind::kType, arena);
  made->element = &type;
  return made;
}

const Type* message_type(std::string_view name, json::Arena& arena) {
  Type* made = new_type(Kind::kStruct, arena);
  made->special = true;
  made->name = name;
  return made;
}

bool is_message(const Type& type) { return type.kind == Kind::kStruct && type.special; }

const Type* schema_type(const json::Value& schema, bool resource_root, json::Arena& arena) {
  return Reader(arena).read(schema, resource_root);
}

std::string escape_field(std::string_view key) {
  if (key.empty() || is_digit(key[0])) return {};
  if (is_reserved(key)) return "__" + std::string(key) + "__";
  std::string name;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const char c = key[i];
    if (c == '_' && key.substr(i).starts_with("__")) {
      name += "__underscores__";
      ++i;
    } else if (is_word_character(c)) {
      name += c;
    } else if (c == '.' || c == '-' || c == '/') {
      name += c == '.' ? "__dot__" : c == '-' ? "__dash__" : "__slash__";
    } else {
      return {};
    }
  }
  return name;
}

std::string to_string(const Type& type) {
  if (type.kind == Kind::kParameter || is_message(type)) return std::string(type.name);
  if (type.kind == Kind::kStruct && type.fields != nullptr) return structure_name(type);
  std::string text(kNames[static_cast<std::size_t>(type.kind)].printed);
  if (type.element == nullptr) return text;
  text += "(";
  if (type.key != nullptr) text += to_string(*type.key) + ", ";
  return text + to_string(*type.element) + ")";
}

std::string_view runtime_name(Kind kind) { return kNames[static_cast<std::size_t>(kind)].runtime; }

bool same_type(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind) return false;
  if (a.kind == Kind::kParameter) return a.name == b.name;
  if (a.kind == Kind::kStruct) return is_message(a) && is_message(b) && a.name == b.name;
  if ((a.key == nullptr) != (b.key == nullptr)) return false;
  if ((a.element == nullptr) != (b.element == nullptr)) return false;
  return (a.key == nullptr || same_type(*a.key, *b.key)) &&
         (a.element == nullptr || same_type(*a.element, *b.element));
}

}  // namespace tabernetes::cel
