#include "custom/schema/coerce.h"

#include <algorithm>

#include "base/algorithm/sort.h"
#include "custom/schema/printed_value.h"
#include "schema/decode.h"
#include "schema/schema.h"

namespace tabernetes::registry::custom {
namespace {

using json::Arena;
using json::Value;
using schema::Structural;
using schema::Whole;

struct Metadata {
  Value value;
  std::string error;  // empty: the value is valid metadata
  std::vector<std::string> unknown;
};

// Adds the paths of a decoder's "unknown field \"x\"" errors, after `prefix`.
void note_unknown(const std::vector<std::string>& strict, std::string_view prefix,
                  std::vector<std::string>& unknown) {
  constexpr std::string_view kUnknown = "unknown field \"";
  for (const std::string& each : strict) {
    if (!each.starts_with(kUnknown)) continue;
    unknown.push_back(std::string(prefix) + "." +
                      each.substr(kUnknown.size(), each.size() - kUnknown.size() - 1));
  }
}

// Decodes and encodes a value as ObjectMeta. A value that is not an object is an error.
Metadata read_metadata(const Value& raw, bool drop_malformed, std::string_view prefix,
                       Arena& arena) {
  const schema::Type& type = schema::Catalogue::built_in().object_meta();
  Metadata out;
  const auto decode = [&](const Value& value) {
    schema::DecodeResult result = schema::decode_typed(type, value, arena);
    if (result.error.empty()) note_unknown(result.strict_errors, prefix, out.unknown);
    return result;
  };
  schema::DecodeResult all = decode(raw);
  out.value = all.value;
  out.error = std::move(all.error);
  if (out.error.empty() || !drop_malformed || !raw.is_object()) return out;
  // Decodes each member separately, and drops malformed ones.
  Value readable = Value::object(arena);
  for (const json::Member& member : raw.members()) {
    Value one = Value::object(arena);
    one.append(arena, member.key, member.value);
    if (schema::decode_typed(type, one, arena).error.empty()) {
      readable.append(arena, member.key, member.value);
    }
  }
  out.value = decode(readable).value;
  out.error.clear();
  return out;
}

class Coercer {
 public:
  Coercer(Arena& arena, const CoerceMetadata& options) : arena_(arena), options_(options) {}

  std::optional<field::Error> run(Value& value, const Structural& schema, const field::Path& path,
                                  bool whole);

  std::vector<std::string> unknown;

 private:
  std::optional<field::Error> members(Value& value, const Structural& schema,
                                      const field::Path& path, bool whole);
  std::optional<field::Error> type_meta(Value& object, std::string_view name,
                                        const field::Path& path);
  std::optional<field::Error> metadata(Value& value, const field::Path& path);

  Arena& arena_;
  const CoerceMetadata& options_;
};

std::optional<field::Error> Coercer::type_meta(Value& object, std::string_view name,
                                               const field::Path& path) {
  const Value* value = object.find(name);
  if (value == nullptr || value->is_string()) return std::nullopt;
  if (!options_.drop_malformed) {
    return field::invalid(path.child(name), format_value(*value), "must be a string");
  }
  object.erase(name);
  return std::nullopt;
}

std::optional<field::Error> Coercer::metadata(Value& value, const field::Path& path) {
  const field::Path place = path.child("metadata");
  Metadata read = read_metadata(value, options_.drop_malformed, place.text(), arena_);
  unknown.insert(unknown.end(), read.unknown.begin(), read.unknown.end());
  if (read.error.empty()) {
    value = read.value;
    // creationTimestamp is set on create; null is dropped.
    const Value* created = value.find("creationTimestamp");
    if (created != nullptr && created->is_null()) value.erase("creationTimestamp");
  } else if (!options_.drop_malformed) {
    return field::invalid(place, format_value(value), read.error);
  }
  return std::nullopt;
}

std::optional<field::Error> Coercer::members(Value& value, const Structural& schema,
                                             const field::Path& path, bool whole) {
  if (whole) {
    for (const std::string_view name : {"apiVersion", "kind"}) {
      if (auto error = type_meta(value, name, path)) return error;
    }
    Value* meta = value.find("metadata");
    if (meta != nullptr) {
      if (auto error = metadata(*meta, path)) return error;
    }
  }
  if (!schema.has_embedded) return std::nullopt;
  for (json::Member& member : value.members()) {
    const Structural* declared = schema.property(member.key);
    const Structural* below = declared != nullptr ? declared : schema.additional;
    if (below == nullptr || !below->has_embedded) continue;
    const field::Path place = declared != nullptr ? path.child(member.key) : path.key(member.key);
    if (auto error = run(member.value, *below, place, false)) return error;
  }
  return std::nullopt;
}

std::optional<field::Error> Coercer::run(Value& value, const Structural& schema,
                                         const field::Path& path, bool whole) {
  if (value.is_object()) return members(value, schema, path, whole || schema.embedded);
  if (!value.is_array() || schema.items == nullptr || !schema.items->has_embedded) {
    return std::nullopt;
  }
  for (std::uint32_t i = 0; i < value.size(); ++i) {
    if (auto error = run(value.items()[i], *schema.items, path.index(i), false)) return error;
  }
  return std::nullopt;
}

}  // namespace

std::optional<field::Error> coerce_metadata(Value& value, const Structural& schema, Arena& arena,
                                            const field::Path& path,
                                            const CoerceMetadata& options) {
  Coercer coercer(arena, options);
  auto error = coercer.run(value, schema, path, options.whole == Whole::kObject);
  if (options.unknown != nullptr) {
    sort_stable(coercer.unknown);
    options.unknown->insert(options.unknown->end(), coercer.unknown.begin(), coercer.unknown.end());
  }
  return error;
}

std::string conform(Value& object, const Structural& schema, Arena& arena, const Conform& options) {
  Value* meta = object.find("metadata");
  Metadata read;
  if (meta != nullptr) {
    read = read_metadata(*meta, options.stored, "metadata", arena);
    if (!read.error.empty()) return read.error;
    if (options.unknown != nullptr) {
      options.unknown->insert(options.unknown->end(), read.unknown.begin(), read.unknown.end());
    }
  }
  if (!options.keep_unknown) {
    schema::prune(object, schema, Whole::kObject, arena, options.unknown);
  }
  if (!options.keep_nulls) schema::prune_nulls(object, schema, arena);
  const auto error = coerce_metadata(
      object, schema, arena, field::Path(),
      {.whole = Whole::kPart, .drop_malformed = options.stored, .unknown = options.unknown});
  if (error) return error->field + ": " + error->message;
  if (meta == nullptr) return {};
  const Value* generation = read.value.find("generation");
  if (options.stored && (generation == nullptr || !generation->is_int())) {
    read.value.set(arena, "generation", Value::integer(1));
  }
  object.set(arena, "metadata", read.value);
  return {};
}

}  // namespace tabernetes::registry::custom
