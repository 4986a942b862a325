#include "schema/structural.h"

#include <map>

#include "base/algorithm/sort.h"
#include "schema/lazy_pattern.h"
#include "schema/schema_keywords.h"

namespace tabernetes::schema {

using json::Value;

namespace {

constexpr std::string_view kTypeNames[] = {"",       "array",  "boolean", "integer",
                                           "number", "object", "string"};

JsonType type_of(std::string_view name) {
  const auto* const found = std::find(std::begin(kTypeNames), std::end(kTypeNames), name);
  return found == std::end(kTypeNames) ? JsonType::kNone
                                       : static_cast<JsonType>(found - std::begin(kTypeNames));
}

// Returns the format if it is valid for the type; otherwise kNone.
StringFormat format_of(const SchemaView& node, JsonType type) {
  const std::string_view name = node.text(Keyword::kFormat);
  if (name.empty()) return StringFormat::kNone;
  // An int-or-string accepts the string formats only.
  if (node.flag(Keyword::kIntOrString)) return find_string_format(name);
  switch (type) {
    case JsonType::kNone:
    case JsonType::kString:
      return find_string_format(name);
    case JsonType::kInteger:
    case JsonType::kNumber: {
      const StringFormat format = find_number_format(name);
      const bool whole = format == StringFormat::kInt32 || format == StringFormat::kInt64;
      return whole == (type == JsonType::kInteger) ? format : StringFormat::kNone;
    }
    default:
      return StringFormat::kNone;
  }
}

ListType list_type_of(std::string_view name) {
  if (name == "map") return ListType::kMap;
  return name == "set" ? ListType::kSet : ListType::kAtomic;
}

}  // namespace

std::string_view json_type_name(JsonType type) { return kTypeNames[static_cast<int>(type)]; }

class StructuralCompiler {
 public:
  explicit StructuralCompiler(StructuralSchema& out) : out_(out) {}

  void run(const Value& open_api) { out_.root_ = node(open_api); }

 private:
  template <typename T>
  T* make() {
    return new (out_.arena_.allocate(sizeof(T))) T();
  }
  template <typename T>
  std::span<T> make_many(std::size_t count) {
    return {out_.arena_.allocate_array<T>(count), count};
  }

  const Value* keep(const Value* value) {
    if (value == nullptr) return nullptr;
    return new (out_.arena_.allocate(sizeof(Value))) Value(value->clone(out_.arena_));
  }

  // Copies a text into the schema; equal texts are stored once.
  std::string_view keep(std::string_view text) {
    const auto known = texts_.find(text);
    if (known != texts_.end()) return known->second;
    const std::string_view copy = out_.arena_.copy(text);
    texts_.emplace(copy, copy);
    return copy;
  }

  std::span<const std::string_view> keep_texts(const Value* list) {
    if (list == nullptr || list->size() == 0) return {};
    const auto texts = make_many<std::string_view>(list->size());
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = keep(list->items()[i].as_string());
    return texts;
  }

  const Structural* node(const Value& value);
  const Structural* node_or_null(const Value* value) {
    return value == nullptr ? nullptr : node(*value);
  }
  std::span<const Structural* const> nodes(const Value* list);
  std::span<const StructuralProperty> properties(const Value* members);
  void structure(const SchemaView& view, Structural& out);
  void extensions(const SchemaView& view, Structural& out);
  const ValueLimits* limits(const SchemaView& view, StringFormat format);
  void numbers(const SchemaView& view, ValueLimits& out);
  const LazyPattern* pattern(std::string_view text);

  StructuralSchema& out_;
  std::map<std::string_view, std::string_view> texts_;
};

const Structural* StructuralCompiler::node(const Value& value) {
  const SchemaView view(value);
  Structural& out = *make<Structural>();
  ++out_.node_count_;
  out.type = type_of(view.text(Keyword::kType));
  out.format = format_of(view, out.type);
  out.nullable = view.flag(Keyword::kNullable);
  extensions(view, out);
  structure(view, out);
  out.default_value = keep(view[Keyword::kDefault]);
  out.limits = limits(view, out.format);
  out.has_defaults |= out.default_value != nullptr;
  out.has_embedded |= out.embedded;
  out.has_keyed_lists |= out.list_type != ListType::kAtomic;
  return &out;
}

void StructuralCompiler::extensions(const SchemaView& view, Structural& out) {
  out.int_or_string = view.flag(Keyword::kIntOrString);
  out.preserve_unknown = view.flag(Keyword::kPreserveUnknownFields);
  out.embedded = view.flag(Keyword::kEmbeddedResource);
  out.list_type_declared = view.has(Keyword::kListType);
  out.list_type = list_type_of(view.text(Keyword::kListType));
  out.map_type_declared = view.has(Keyword::kMapType);
  out.map_type = view.text(Keyword::kMapType) == "atomic" ? MapType::kAtomic : MapType::kGranular;
  out.list_map_keys = keep_texts(view[Keyword::kListMapKeys]);
}

void StructuralCompiler::structure(const SchemaView& view, Structural& out) {
  out.properties = properties(view[Keyword::kProperties]);
  out.items = node_or_null(view.schema_at(Keyword::kItems));
  if (const Value* additional = view[Keyword::kAdditionalProperties]) {
    out.additional = node_or_null(view.schema_at(Keyword::kAdditionalProperties));
    const bool allows = !additional->is_bool() || additional->as_bool();
    out.additional_properties = out.additional != nullptr ? Additional::kSchema
                                : allows                  ? Additional::kAnything
                                                          : Additional::kForbidden;
  }
  const auto gather = [&out](const Structural* below) {
    if (below == nullptr) return;
    out.has_defaults |= below->has_defaults;
    out.has_embedded |= below->has_embedded;
    out.has_keyed_lists |= below->has_keyed_lists;
  };
  for (const StructuralProperty& property : out.properties) gather(property.schema);
  gather(out.items);
  gather(out.additional);
}

std::span<const StructuralProperty> StructuralCompiler::properties(const Value* members) {
  if (members == nullptr || members->size() == 0) return {};
  const auto out = make_many<StructuralProperty>(members->size());
  std::size_t i = 0;
  for (const json::Member& member : members->members()) {
    out[i++] = {keep(member.key), node(member.value)};
  }
  sort_stable(out, [](const StructuralProperty& a, const StructuralProperty& b) {
    return a.name < b.name;
  });
  return out;
}

std::span<const Structural* const> StructuralCompiler::nodes(const Value* list) {
  if (list == nullptr || list->size() == 0) return {};
  const auto out = make_many<const Structural*>(list->size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = node(list->items()[i]);
  return out;
}

const ValueLimits* StructuralCompiler::limits(const SchemaView& view, StringFormat format) {
  static constexpr Keyword kLimits[] = {
      Keyword::kMaximum,       Keyword::kMinimum,  Keyword::kMultipleOf, Keyword::kMaxLength,
      Keyword::kMinLength,     Keyword::kMaxItems, Keyword::kMinItems,   Keyword::kMaxProperties,
      Keyword::kMinProperties, Keyword::kPattern,  Keyword::kEnum,       Keyword::kRequired,
      Keyword::kAllOf,         Keyword::kAnyOf,    Keyword::kOneOf,      Keyword::kNot};
  if (format == StringFormat::kNone &&
      std::none_of(std::begin(kLimits), std::end(kLimits),
                   [&view](Keyword keyword) { return view.has(keyword); })) {
    return nullptr;
  }
  ValueLimits& out = *make<ValueLimits>();
  numbers(view, out);
  out.exclusive_maximum = view.flag(Keyword::kExclusiveMaximum);
  out.exclusive_minimum = view.flag(Keyword::kExclusiveMinimum);
  if (format != StringFormat::kNone) out.format = keep(view.text(Keyword::kFormat));
  out.pattern = pattern(view.text(Keyword::kPattern));
  if (view.size(Keyword::kEnum) > 0) out.enum_values = keep(view[Keyword::kEnum]);
  out.required = keep_texts(view[Keyword::kRequired]);
  out.all_of = nodes(view[Keyword::kAllOf]);
  out.any_of = nodes(view[Keyword::kAnyOf]);
  out.one_of = nodes(view[Keyword::kOneOf]);
  out.not_of = node_or_null(view[Keyword::kNot]);
  return &out;
}

void StructuralCompiler::numbers(const SchemaView& view, ValueLimits& out) {
  const auto real = [&](Keyword keyword, ValueLimits::Has bit, double& to) {
    const Value* value = view[keyword];
    if (value == nullptr || !value->is_number()) return;
    to = value->as_double();
    out.has |= bit;
  };
  const auto whole = [&](Keyword keyword, ValueLimits::Has bit, std::int64_t& to) {
    const Value* value = view[keyword];
    if (value == nullptr || !value->is_int()) return;
    to = value->as_int();
    out.has |= bit;
  };
  real(Keyword::kMaximum, ValueLimits::kMaximum, out.maximum);
  real(Keyword::kMinimum, ValueLimits::kMinimum, out.minimum);
  real(Keyword::kMultipleOf, ValueLimits::kMultipleOf, out.multiple_of);
  whole(Keyword::kMaxLength, ValueLimits::kMaxLength, out.max_length);
  whole(Keyword::kMinLength, ValueLimits::kMinLength, out.min_length);
  whole(Keyword::kMaxItems, ValueLimits::kMaxItems, out.max_items);
  whole(Keyword::kMinItems, ValueLimits::kMinItems, out.min_items);
  whole(Keyword::kMaxProperties, ValueLimits::kMaxProperties, out.max_properties);
  whole(Keyword::kMinProperties, ValueLimits::kMinProperties, out.min_properties);
}

const LazyPattern* StructuralCompiler::pattern(std::string_view text) {
  if (text.empty()) return nullptr;
  const std::string_view kept = keep(text);
  for (const auto& known : out_.patterns_) {
    if (known->text().data() == kept.data()) return known.get();
  }
  return out_.patterns_.emplace_back(std::make_unique<LazyPattern>(kept)).get();
}

StructuralSchema::~StructuralSchema() = default;

std::shared_ptr<const StructuralSchema> StructuralSchema::compile(const Value& open_api) {
  std::shared_ptr<StructuralSchema> out(new StructuralSchema);
  StructuralCompiler(*out).run(open_api);
  return out;
}

const Structural* Structural::property(std::string_view name) const {
  const auto found = std::lower_bound(
      properties.begin(), properties.end(), name,
      [](const StructuralProperty& each, std::string_view key) { return each.name < key; });
  return found != properties.end() && found->name == name ? found->schema : nullptr;
}

const Structural* Structural::member(std::string_view name) const {
  const Structural* declared = property(name);
  return declared != nullptr ? declared : additional;
}

}  // namespace tabernetes::schema
