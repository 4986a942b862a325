// See decode.h. One recursive walk over the schema and the input in parallel. Its depth is limited:
// it is that of typed structs, which only JSONSchemaProps lets the input choose. Tested by
// tests/core/schema/decode_test.cc, tests/fuzz/decode_fuzz.cc.
#include "schema/decode.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/go/text.h"
#include "schema/decode_scalar.h"
#include "schema/field_cursor.h"
#include "schema/go_type.h"
#include "schema/repeated_member.h"

namespace tabernetes::schema {
namespace {

using json::Arena;
using json::Member;
using json::Value;

constexpr int kMaxDepth = 256;  // nested structs; more is "exceeded max depth"

// The current path as a list on the call stack, from a field, a map key or a list index upwards.
struct Place {
  enum class Kind : std::uint8_t { kField, kKey, kIndex };
  const Place* parent;
  Kind kind;
  std::string_view name;        // kField, kKey
  std::uint32_t index = 0;      // kIndex
  const Type* owner = nullptr;  // kField: the struct
};

// Appends the path in the form of strict errors: "spec.containers[0].name".
void append_strict_path(const Place* place, std::string& out) {
  if (place == nullptr) return;
  append_strict_path(place->parent, out);
  if (place->kind == Place::Kind::kIndex) {
    out += '[';
    out += std::to_string(place->index);
    out += ']';
    return;
  }
  if (!out.empty()) out += '.';
  out += place->name;
}

// Appends the names of the embedded structs between `type` and its field `name`, which Go's path
// includes.
bool append_embedded(const Type& type, std::string_view name, std::string& out) {
  for (const Field& field : type.fields) {
    if (!field.inlined && field.name == name) {
      if (field.type_meta) out += "TypeMeta.";
      return true;
    }
    if (!field.inlined) continue;
    const std::size_t before = out.size();
    out += field.type.ref->go_name;
    out += '.';
    if (append_embedded(*field.type.ref, name, out)) return true;
    out.resize(before);
  }
  return false;
}

// Appends the path in the form of type errors, field names only: "spec.containers.name".
void append_field_path(const Place* place, std::string& out) {
  if (place == nullptr) return;
  append_field_path(place->parent, out);
  // The metadata of an open root is decoded separately.
  if (place->kind != Place::Kind::kField || place->owner->open) return;
  if (!out.empty()) out += '.';
  append_embedded(*place->owner, place->name, out);
  out += place->name;
}

const Type* innermost_struct(const Place* place) {
  while (place != nullptr && place->kind != Place::Kind::kField) place = place->parent;
  return place == nullptr ? nullptr : place->owner;
}

// Lists of built-in kinds are stored as protobuf, which does not distinguish an empty list from a
// missing one; apiextensions and apiregistration are stored as JSON.
bool stored_as_protobuf(const Type& type) { return type.name.starts_with("io.k8s.api."); }

struct Slots;

// Go's error in parts: the error of a schema union is reported again at the union's path.
struct SavedError {
  LeafError what;
  std::string_view owner;  // the innermost struct; empty outside one
  std::string path;        // of the field, from the root
  bool set = false;

  std::string text() const {
    if (!set || !what.message.empty()) return what.message;
    std::string into = "Go value";
    if (!owner.empty()) into = "Go struct field " + std::string(owner) + "." + path;
    return "json: cannot unmarshal " + what.value + " into " + into + " of type " + what.go_type;
  }
};

class Decoder {
 public:
  Decoder(Arena& arena, bool drop_empty_lists)
      : arena_(arena), drop_empty_lists_(drop_empty_lists) {}

  DecodeResult decode_root(const Type& type, const Value& raw);

 private:
  void note(LeafError error, const Place* place, std::string_view inner_path = {});
  void type_error(std::string_view value, std::string go_type, const Place* place);
  void strict_error(std::string_view what, std::string_view key, const Place* parent);
  bool failed() const { return error_.set; }
  bool enter();
  std::size_t take_scratch(std::size_t count);

  Value decode_struct(const Type& type, const Value& raw, const Place* place);
  void decode_members(const Type& type, const Value& raw, const Place* place, Slots& slots);
  bool decode_field(const Field& field, const Value& raw, const Place* place, Value& out);
  Value decode_value(const TypeRef& type, std::string_view go, const Value& raw,
                     const Place* place);
  Value decode_other(FieldType type, std::string_view go, const Value& raw, const Place* place);
  Value decode_array(const TypeRef& type, std::string_view go, const Value& raw,
                     const Place* place);
  Value decode_map(const TypeRef& type, std::string_view go, const Value& raw, const Place* place);
  Value decode_union(const TypeRef& type, const Value& raw, const Place* place);
  Value null_element(const TypeRef& type);

  Arena& arena_;
  bool drop_empty_lists_;
  DecodeResult result_;
  SavedError error_;
  bool strict_ = true;
  bool stopped_ = false;
  int depth_ = 0;
  Value* scratch_ = nullptr;  // slots of the structs being decoded, and spare room
  std::size_t scratch_used_ = 0;
  std::size_t scratch_room_ = 0;
  std::vector<Member> others_;  // members of an open root that are not fields
};

Value emitted_value(const Field& field, Arena& arena) {
  switch (field.emit) {
    case Emit::kNothing:
    case Emit::kNull:
      return Value::null();
    case Emit::kEmptyString:
      return Value::string("");
    case Emit::kZero:
      return field.type.type == FieldType::kQuantity ? Value::string("0") : Value::integer(0);
    case Emit::kFalse:
      return Value::boolean(false);
    case Emit::kEmptyObject:
      return zero_value(*field.type.ref, arena);
  }
  return Value::null();
}

// Returns whether Go's omitempty omits a non-pointer field with that value.
bool is_empty(const Field& field, const Value& value) {
  switch (field.type.type) {
    case FieldType::kString:
    case FieldType::kBytes:
      return value.as_string().empty();
    case FieldType::kBoolean:
      return !value.as_bool();
    case FieldType::kInt32:
    case FieldType::kInt64:
    case FieldType::kNumber:
      return value.as_double() == 0;
    case FieldType::kArray:
    case FieldType::kMap:
      return value.size() == 0;
    default:  // structs are never empty
      return false;
  }
}

bool is_list_or_map(FieldType type) { return type == FieldType::kArray || type == FieldType::kMap; }

DecodeResult Decoder::decode_root(const Type& type, const Value& raw) {
  if (raw.is_null() || raw.is_object()) {
    result_.value = decode_struct(type, raw, nullptr);
  } else {
    result_.value = Value::object(arena_);
    type_error(json::go_type_name(raw), go_struct_name(type), nullptr);
  }
  result_.error = error_.text();
  return std::move(result_);
}

// Go keeps the first error and continues, but an error from a type's own UnmarshalJSON ends the
// decoding and replaces any earlier one.
void Decoder::note(LeafError error, const Place* place, std::string_view inner_path) {
  if (stopped_ || (failed() && !error.stops)) return;
  stopped_ = error.stops;
  error_ = SavedError{std::move(error), {}, {}, true};
  if (const Type* owner = innermost_struct(place)) error_.owner = owner->go_name;
  append_field_path(place, error_.path);
  if (!inner_path.empty()) {
    error_.path += '.';
    error_.path += inner_path;
  }
}

void Decoder::type_error(std::string_view value, std::string go_type, const Place* place) {
  LeafError error;
  error.value = value;
  error.go_type = std::move(go_type);
  note(std::move(error), place);
}

void Decoder::strict_error(std::string_view what, std::string_view key, const Place* parent) {
  if (!strict_ || result_.strict_errors.size() >= kMaxStrictErrors) return;
  std::string path;
  append_strict_path(parent, path);
  if (!path.empty()) path += '.';
  path += key;
  std::string text(what);
  text += ' ';
  text += go_quote(path);
  auto& errors = result_.strict_errors;
  if (std::find(errors.begin(), errors.end(), text) == errors.end()) {
    errors.push_back(std::move(text));
  }
}

// Goes one level deeper; returns false and notes an error at the limit. The caller decrements
// depth_.
bool Decoder::enter() {
  if (depth_ < kMaxDepth) {
    ++depth_;
    return true;
  }
  LeafError error;
  error.message = "exceeded max depth";
  error.stops = true;
  note(std::move(error), nullptr);
  return false;
}

// Returns the index of the first of `count` slots, uninitialised. The caller releases them.
std::size_t Decoder::take_scratch(std::size_t count) {
  constexpr std::size_t kLeast = 128;
  const std::size_t first = scratch_used_;
  scratch_used_ += count;
  if (scratch_used_ > scratch_room_) {
    scratch_room_ = std::max(2 * scratch_used_, kLeast);
    auto* const larger = arena_.allocate_array<Value>(scratch_room_);
    std::uninitialized_copy(scratch_, scratch_ + first, larger);
    scratch_ = larger;
  }
  return first;
}

// Slots in scratch_ from `base`, one for each field; the bits mark fields seen and fields set.
struct Slots {
  std::size_t base = 0;
  std::uint64_t seen = 0;
  std::uint64_t present = 0;
  bool has(std::size_t i) const { return (present >> i & 1) != 0; }
};

void Decoder::decode_members(const Type& type, const Value& raw, const Place* place, Slots& slots) {
  FieldCursor cursor(type);
  for (const Member& member : raw.members()) {
    const int position = cursor.find(member.key);
    if (position < 0 && type.open) {
      others_.push_back(member);
      continue;
    }
    if (position < 0) {
      strict_error("unknown field", member.key, place);
      continue;
    }
    const auto slot = static_cast<std::size_t>(position);
    const std::uint64_t bit = std::uint64_t{1} << position;
    const bool repeated = (slots.seen & bit) != 0;
    if (repeated) strict_error("duplicate field", member.key, place);
    slots.seen |= bit;
    const Field& field = *type.flattened[slot];
    const Place here{place, Place::Kind::kField, field.name, 0, &type};
    DecodedField decoded;
    decoded.present = decode_field(field, member.value, &here, decoded.value);
    if (stopped_) return;
    if (repeated && !failed()) {
      const bool had = slots.has(slot);
      const DecodedField before{had, had ? scratch_[slots.base + slot] : Value()};
      decoded = merge_repeated(field, before, decoded, member.value, arena_);
    }
    slots.present = decoded.present ? slots.present | bit : slots.present & ~bit;
    if (decoded.present) scratch_[slots.base + slot] = decoded.value;
  }
}

Value Decoder::decode_struct(const Type& type, const Value& raw, const Place* place) {
  if (!enter()) return Value::object(arena_);
  Slots slots;
  slots.base = take_scratch(type.flattened.size());
  if (raw.is_object()) decode_members(type, raw, place, slots);
  if (place == nullptr && type.published == PublishedKind::kOwn) {
    // Fills in kind and apiVersion if the client omitted them; the path implies them.
    const std::string api_version = type.group.empty()
                                        ? std::string(type.version)
                                        : std::string(type.group) + "/" + std::string(type.version);
    if (!slots.has(0)) scratch_[slots.base] = Value::string(type.kind);
    if (!slots.has(1)) scratch_[slots.base + 1] = Value::string(arena_.copy(api_version));
    slots.present |= 3;
  }
  std::uint64_t left = slots.present | type.emitted;
  const std::size_t others = type.open ? others_.size() : 0;
  Value out = Value::uninitialized_object(
      arena_, static_cast<std::uint32_t>(static_cast<std::size_t>(std::popcount(left)) + others));
  Member* member = out.members().begin();
  for (; left != 0; left &= left - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(left));
    const Field& field = *type.flattened[i];
    new (member++)
        Member{field.name, slots.has(i) ? scratch_[slots.base + i] : emitted_value(field, arena_)};
  }
  if (type.open) std::uninitialized_copy(others_.begin(), others_.end(), member);
  out.index_members(arena_);
  scratch_used_ = slots.base;
  --depth_;
  return out;
}

// Returns false if the field is as if it had not been sent.
bool Decoder::decode_field(const Field& field, const Value& raw, const Place* place, Value& out) {
  if (raw.is_null()) return false;
  out = decode_value(field.type, field.go_type, raw, place);
  if (failed()) return false;  // the result will not be used
  if (field.pointer) return true;
  if (out.is_null()) return false;
  if (field.type_meta || field.omit != Omit::kNever) return !is_empty(field, out);
  return !(drop_empty_lists_ && is_list_or_map(field.type.type) && out.size() == 0);
}

Value Decoder::decode_value(const TypeRef& type, std::string_view go, const Value& raw,
                            const Place* place) {
  switch (type.type) {
    case FieldType::kRef:
      if (raw.is_object()) return decode_struct(*type.ref, raw, place);
      break;
    case FieldType::kArray:
      if (raw.is_array()) return decode_array(type, go, raw, place);
      break;
    case FieldType::kMap:
      if (raw.is_object()) return decode_map(type, go, raw, place);
      break;
    case FieldType::kSchemaOrBool:
    case FieldType::kSchemaOrArray:
    case FieldType::kSchemaOrStringArray:
      return decode_union(type, raw, place);
    // Fast path without an error object: most values have the right type.
    case FieldType::kString:
      if (raw.is_string()) return raw;
      return decode_other(type.type, go, raw, place);
    case FieldType::kBoolean:
      if (raw.is_bool()) return raw;
      return decode_other(type.type, go, raw, place);
    case FieldType::kInt64:
      if (raw.is_int()) return raw;
      [[fallthrough]];
    default:
      return decode_other(type.type, go, raw, place);
  }
  type_error(json::go_type_name(raw), go_type_name(type, go), place);
  return Value();
}

Value Decoder::decode_other(FieldType type, std::string_view go, const Value& raw,
                            const Place* place) {
  Value out;
  LeafError error;
  if (!decode_leaf(type, go, raw, arena_, out, error)) note(std::move(error), place);
  return out;
}

// Returns Go's zero value, which a null in a list or a map means.
Value Decoder::null_element(const TypeRef& type) {
  if (type.type == FieldType::kRef) return zero_value(*type.ref, arena_);
  // Null in Go, empty after storage.
  if (type.type == FieldType::kBytes) return Value::string("");
  return go_zero_value(type.type);
}

Value Decoder::decode_array(const TypeRef& type, std::string_view go, const Value& raw,
                            const Place* place) {
  const TypeRef& element = *type.element;
  const auto items = raw.items();
  if (element.type == FieldType::kString &&
      std::all_of(items.begin(), items.end(), [](const Value& v) { return v.is_string(); })) {
    return raw;
  }
  const std::string_view element_go = go_element_name(go);
  const Value out = Value::uninitialized_array(arena_, items.size());
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    const Place here{place, Place::Kind::kIndex, {}, i, nullptr};
    const Value& item = items[i];
    new (&out.items()[i]) Value(stopped_         ? Value()
                                : item.is_null() ? null_element(element)
                                                 : decode_value(element, element_go, item, &here));
  }
  return out;
}

// Returns the indexes of the members in the order of their keys, stable for equal keys; empty if
// the members are already sorted and unique.
std::vector<std::uint32_t> key_order(const json::Range<Member>& members) {
  bool sorted = true;
  for (std::uint32_t i = 1; i < members.size() && sorted; ++i) {
    sorted = members[i - 1].key < members[i].key;
  }
  std::vector<std::uint32_t> order;
  if (sorted) return order;
  order.resize(members.size());
  for (std::uint32_t i = 0; i < members.size(); ++i) order[i] = i;
  sort_stable(order, [&members](std::uint32_t a, std::uint32_t b) {
    return members[a].key < members[b].key;
  });
  return order;
}

Value Decoder::decode_map(const TypeRef& type, std::string_view go, const Value& raw,
                          const Place* place) {
  const TypeRef& element = *type.element;
  const auto members = raw.members();
  const std::vector<std::uint32_t> order = key_order(members);
  if (order.empty() && element.type == FieldType::kString &&
      std::all_of(members.begin(), members.end(),
                  [](const Member& m) { return m.value.is_string(); })) {
    return raw;
  }
  std::string repeated(order.empty() ? 0 : members.size(), 0);
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (members[order[i]].key == members[order[i - 1]].key) repeated[order[i]] = 1;
  }
  const std::string_view element_go = go_element_name(go);
  const std::size_t base = take_scratch(members.size());
  for (std::uint32_t i = 0; i < members.size() && !stopped_; ++i) {
    const Member& member = members[i];
    if (!repeated.empty() && repeated[i] != 0) strict_error("duplicate field", member.key, place);
    const Place here{place, Place::Kind::kKey, member.key, 0, nullptr};
    const Value value = member.value.is_null()
                            ? null_element(element)
                            : decode_value(element, element_go, member.value, &here);
    // Quantities are rounded up to thousandths, as in upstream's SetDefaults_ResourceList.
    const bool amount = element.type == FieldType::kQuantity && value.is_string();
    scratch_[base + i] = amount ? rounded_to_milli(value, arena_) : value;
  }
  Value out = Value::object(arena_);
  out.reserve(arena_, members.size());
  for (std::uint32_t n = 0; n < members.size(); ++n) {
    const std::uint32_t i = order.empty() ? n : order[n];
    // the last of equal keys wins
    if (!order.empty() && n + 1 < members.size() && repeated[order[n + 1]] != 0) continue;
    out.append(arena_, members[i].key, scratch_[base + i]);
  }
  scratch_used_ = base;
  return out;
}

// Decodes a JSONSchemaProps or one of its simpler alternatives. Go decodes it separately: without
// strict errors, with paths of its own, and its error ends the decoding.
Value Decoder::decode_union(const TypeRef& type, const Value& raw, const Place* place) {
  if (type.type == FieldType::kSchemaOrBool && raw.is_bool()) return raw;
  TypeRef inside;
  inside.type = FieldType::kRef;
  inside.ref = type.ref;
  TypeRef list;
  list.type = FieldType::kArray;
  list.element = &inside;
  if (type.type == FieldType::kSchemaOrStringArray) inside.type = FieldType::kString;
  const TypeRef* wanted = nullptr;
  if (raw.is_array() && type.type != FieldType::kSchemaOrBool) wanted = &list;
  inside.type = raw.is_object() ? FieldType::kRef : inside.type;
  if (raw.is_object()) wanted = &inside;
  if (wanted == nullptr) {
    if (type.type != FieldType::kSchemaOrBool) return Value::null();
    LeafError error;
    error.message = "boolean or JSON schema expected";
    error.stops = true;
    note(std::move(error), place);
    return Value::null();
  }
  const bool was_strict = strict_;
  SavedError outer = std::move(error_);
  error_ = SavedError();
  strict_ = false;
  Value out = decode_value(*wanted, {}, raw, nullptr);
  strict_ = was_strict;
  SavedError inner = std::move(error_);
  error_ = std::move(outer);
  if (inner.set) {
    stopped_ = false;
    inner.what.stops = true;
    note(std::move(inner.what), place, inner.path);
  }
  if (raw.is_array() && raw.size() == 0) return Value::null();
  return out;
}

}  // namespace

DecodeResult decode_typed(const Type& type, const Value& raw, Arena& arena, EmptyLists empty) {
  return Decoder(arena, empty == EmptyLists::kAsStored && stored_as_protobuf(type))
      .decode_root(type, raw);
}

const Type* type_of_object(const Catalogue& catalogue, const Value& object) {
  const std::string_view kind = object.string_at("kind");
  const std::string_view text = object.string_at("apiVersion");
  const std::size_t slash = text.find('/');
  const bool core = slash == std::string_view::npos;
  const std::string_view group = core ? std::string_view() : text.substr(0, slash);
  std::string_view version = core ? text : text.substr(slash + 1);
  if (version.empty()) version = "v1";  // APIVersions has no version
  const Type* type = catalogue.find_kind(group, version, kind);
  if (type == nullptr && group == "meta.k8s.io" && version == "v1beta1") {
    type = catalogue.find_type("io.k8s.apimachinery.pkg.apis.meta.v1beta1." + std::string(kind));
  }
  if (type == nullptr && group == "meta.k8s.io") {
    type = catalogue.find_type("io.k8s.apimachinery.pkg.apis.meta.v1." + std::string(kind));
  }
  return type != nullptr && type->has_type_meta() ? type : nullptr;
}

Value zero_value(const Type& type, Arena& arena) {
  Value out = Value::object(arena);
  for (const Field* field : type.flattened) {
    if (field->emit != Emit::kNothing) {
      out.append(arena, field->name, emitted_value(*field, arena));
    }
  }
  return out;
}

}  // namespace tabernetes::schema
