#include "registry/crd/shown_record.h"

#include "codec/json_reader.h"
#include "registry/crd/conversions.h"
#include "registry/object_record.h"

namespace tabernetes::registry::crd {

namespace {

EncodedObject encode_shown(const ResourceType& type, const store::Record& record,
                           VersionMember version, json::Arena& arena, PendingWork* pending) {
  EncodedObject encoded = encode_custom(read_object(type, record, arena, pending), version);
  encoded.places.form = type.id;
  return encoded;
}

}  // namespace

store::RecordPtr shown_record(const ResourceType& type, const store::RecordPtr& record,
                              PendingWork* pending) {
  if (!needs_webhook(type) || is_shown_as_stored(type, *record)) return record;
  json::Arena arena;
  const VersionMember version =
      record->revision == 0 ? VersionMember::kAbsent : VersionMember::kPresent;
  EncodedObject encoded = encode_shown(type, *record, version, arena, pending);
  std::shared_ptr<store::Record> shown = make_record(std::move(encoded), record->revision);
  shown->key = record->key;
  return shown;
}

std::optional<EncodedObject> shown_encoding(const ResourceType& type, const EncodedObject& stored,
                                            VersionMember version, json::Arena& arena,
                                            PendingWork* pending) {
  if (!needs_webhook(type) || stored.places.form == type.id) return std::nullopt;
  const std::shared_ptr<const store::Record> record = make_record(EncodedObject(stored), 0);
  // Strings of the tree may be views of the record.
  return encode_shown(type, *record, version, arena, pending);
}

const ResourceType& stored_type(const ResourceType& type, const store::Record& record) {
  if (!needs_webhook(type) || is_shown_as_stored(type, record)) return type;
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(std::string_view(record.bytes).substr(1), arena);
  const CustomVersion* own = type.custom->kind->find_version(read.value.string_at("apiVersion"));
  return own == nullptr ? type : own->type;
}

}  // namespace tabernetes::registry::crd
