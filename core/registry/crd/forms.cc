#include "registry/crd/forms.h"

namespace tabernetes::registry::crd {

using json::Value;

Value converted(const CustomVersion& version, const Value& object, json::Arena& arena) {
  if (object.string_at("apiVersion") == version.type.api_version) return object;
  Value copy = object.shallow_copy(arena);
  copy.set(arena, "apiVersion", Value::string(version.type.api_version));
  return copy;
}

EncodedObject encode_for_storage(const CustomVersion& version, const Value& object,
                                 VersionMember member, json::Arena& arena) {
  const CustomVersion& storage = *version.kind->storage_type().custom;
  EncodedObject encoded = encode_custom(converted(storage, object, arena), member);
  if (&version == &storage) encoded.places.form = version.type.id;
  return encoded;
}

schema::DecodeResult decode(const CustomVersion& version, const Value& raw, json::Arena& arena) {
  return schema::decode_typed(version.schema, raw, arena, schema::EmptyLists::kAsSent);
}

Value shown_form(const CustomVersion& version, const Value& stored, json::Arena& arena) {
  return schema::decode_typed(version.schema, converted(version, stored, arena), arena).value;
}

}  // namespace tabernetes::registry::crd
