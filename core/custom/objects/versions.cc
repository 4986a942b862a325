#include "custom/objects/versions.h"

#include <algorithm>

#include "base/go/text.h"
#include "custom/objects/conversions.h"
#include "custom/schema/coerce.h"
#include "schema/structural.h"

namespace tabernetes::registry::custom {

using json::Value;

Value converted(const CustomVersion& version, const Value& object, json::Arena& arena,
                PendingWork* pending) {
  if (object.string_at("apiVersion") == version.type.api_version) return object;
  const Value* metadata = object.find("metadata");
  // An object with empty metadata is not sent to the webhook.
  if (pending != nullptr && version.kind->webhook() != nullptr && metadata != nullptr &&
      metadata->size() > 0) {
    const Value made = convert_by_webhook(version, object, arena, *pending);
    if (!made.is_null()) return made;
  }
  Value copy = object.shallow_copy(arena);
  copy.set(arena, "apiVersion", Value::string(version.type.api_version));
  return copy;
}

// Returns the schema of the version that the object names; an empty one for an unknown version, and
// one that preserves everything for another kind.
const schema::Structural& named_schema(const CustomKind& kind, std::string_view kind_name,
                                       const Value& raw) {
  static const schema::Structural kEmpty{};
  static const schema::Structural kAnything{.preserve_unknown = true};
  const std::string_view api_version = raw.string_at("apiVersion");
  const std::size_t slash = std::min(api_version.find('/'), api_version.size());
  if (api_version.substr(0, slash) != kind.group() || raw.string_at("kind") != kind_name) {
    return kAnything;
  }
  const CustomVersion* named = kind.find_version(api_version);
  return named == nullptr ? kEmpty : named->structural->root();
}

schema::DecodeResult decode(const CustomVersion& version, const Value& raw, json::Arena& arena,
                            DecodeFor what) {
  // Only the parts that conform() changes are copied; `raw` stays unchanged.
  schema::DecodeResult decoded{.value = raw.is_object() ? raw.shallow_copy(arena) : raw};
  std::vector<std::string> unknown;
  const schema::Structural& schema = named_schema(*version.kind, version.resource.kind, raw);
  decoded.error = conform(decoded.value, schema, arena,
                          {.keep_nulls = what == DecodeFor::kApply,
                           .keep_unknown = what == DecodeFor::kAdmission,
                           .unknown = &unknown});
  if (!decoded.error.empty()) return decoded;
  for (const std::string& path : unknown) {
    decoded.strict_errors.push_back("unknown field " + go_quote(path));
  }
  return decoded;
}

// Applies the current schema of the object's own version.
void apply_current_schema(const CustomVersion& version, Value& object, json::Arena& arena) {
  const schema::Structural& root = version.structural->root();
  (void)conform(object, root, arena, {.stored = true});
  schema::apply_defaults(object, root, arena);
}

Value in_served_version(const CustomVersion& version, const Value& stored, json::Arena& arena,
                        PendingWork* pending) {
  Value object = stored;
  const CustomVersion* own = version.kind->find_version(stored.string_at("apiVersion"));
  if (own != nullptr) apply_current_schema(*own, object, arena);
  if (own == &version) return object;
  object = converted(version, object, arena, pending);
  apply_current_schema(version, object, arena);
  return object;
}

}  // namespace tabernetes::registry::custom
