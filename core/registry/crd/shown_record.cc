#include "registry/crd/shown_record.h"

#include "codec/json_reader.h"
#include "registry/crd/conversions.h"
#include "registry/object_record.h"

namespace tabernetes::registry::crd {

store::RecordPtr shown_record(const ResourceType& type, const store::RecordPtr& record) {
  if (!needs_webhook(type) || is_shown_as_stored(type, *record)) return record;
  json::Arena arena;
  const VersionMember version =
      record->revision == 0 ? VersionMember::kAbsent : VersionMember::kPresent;
  EncodedObject encoded = encode_custom(read_object(type, *record, arena), version);
  encoded.places.form = type.id;
  std::shared_ptr<store::Record> shown = make_record(std::move(encoded), record->revision);
  shown->key = record->key;
  return shown;
}

const ResourceType& stored_type(const ResourceType& type, const store::Record& record) {
  if (!needs_webhook(type) || is_shown_as_stored(type, record)) return type;
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(std::string_view(record.bytes).substr(1), arena);
  const CustomVersion* own = type.custom->kind->find_version(read.value.string_at("apiVersion"));
  return own == nullptr ? type : own->type;
}

}  // namespace tabernetes::registry::crd
