#include "registry/objects/object_record.h"

#include <cassert>

#include "codec/json_reader.h"
#include "registry/kind/kind_behaviour.h"

namespace tabernetes::registry {
namespace {

using json::Member;
using json::Value;

constexpr std::size_t kLead = 2;  // `,{`

// Returns the bytes of a record in the version of `type`, which is not the stored one.
Slice converted_bytes(const ResourceType& type, const store::Record& record,
                      store::Revision shown) {
  json::Arena arena;
  const Value object = read_object(type, record, arena);
  const VersionMember version =
      record.revision == 0 ? VersionMember::kAbsent : VersionMember::kPresent;
  return Slice::from_string(make_record(encode_whole_or_typed(type, object, version),
                                        shown == 0 ? record.revision : shown)
                                ->bytes);
}

// Returns the tree of a record's bytes, which are in the version of `type`.
Value object_of(const ResourceType& type, std::string_view bytes, json::Arena& arena) {
  const codec::JsonRead read = codec::read_json(bytes, arena);
  assert(read.ok());
  if (!type.form.typed) return read.value;
  Value object = Value::object(arena);
  object.append(arena, "kind", Value::string(type.resource->kind));
  object.append(arena, "apiVersion", Value::string(type.api_version));
  for (const Member& member : read.value.members()) object.append(arena, member.key, member.value);
  return object;
}

}  // namespace

EncodedObject encode_whole_or_typed(const ResourceType& type, const Value& object,
                                    VersionMember version) {
  return type.form.typed ? encode_object(object, version) : encode_sorted(object, version);
}

EncodedObject encode_for_storage(const ResourceType& type, const Value& object,
                                 VersionMember version, json::Arena& arena, PendingWork* pending) {
  if (type.form.typed && type.storage == nullptr) return encode_object(object, version);
  return type.behaviour->to_storage(object, version, arena, pending);
}

void append_object(Rope& rope, const ResourceType& type, const store::RecordPtr& record,
                   store::Revision shown) {
  // The response may outlive a type that is not built in.
  rope.append(Slice::from_static(type.built_in() ? std::string_view(type.head) : "{"));
  if (!is_stored_in_version(type, *record)) {
    const Slice bytes = converted_bytes(type, *record, shown);
    rope.append(Slice::shared(bytes.view().substr(kLead), bytes.owner()));
    return;
  }
  const std::string_view bytes = record->bytes;
  if (shown == 0 || shown == record->revision) {
    rope.append(Slice::shared(bytes.substr(kLead), record));
    return;
  }
  const RecordOffsets& places = offsets_of(*record);
  rope.append(Slice::shared(bytes.substr(kLead, places.version_begin - kLead), record));
  rope.append(std::to_string(shown));
  rope.append(Slice::shared(bytes.substr(places.version_begin + places.version_size), record));
}

void write_object(const ResourceType& type, const store::Record& record, store::Revision shown,
                  std::string& out) {
  out += type.head;
  if (!is_stored_in_version(type, record)) {
    out += converted_bytes(type, record, shown).view().substr(kLead);
    return;
  }
  const std::string_view bytes = record.bytes;
  if (shown == 0 || shown == record.revision) {
    out += bytes.substr(kLead);
    return;
  }
  const RecordOffsets& places = offsets_of(record);
  out += bytes.substr(kLead, places.version_begin - kLead);
  out += std::to_string(shown);
  out += bytes.substr(places.version_begin + places.version_size);
}

void append_item(Rope& rope, const ResourceType& type, const store::RecordPtr& record, bool first) {
  if (!is_stored_in_version(type, *record)) {
    const Slice bytes = converted_bytes(type, *record, 0);
    rope.append(Slice::shared(bytes.view().substr(first ? 1 : 0), bytes.owner()));
    return;
  }
  rope.append(Slice::shared(std::string_view(record->bytes).substr(first ? 1 : 0), record));
}

bool is_stored_in_version(const ResourceType& type, const store::Record& record) {
  return type.form.typed ? type.storage == nullptr : offsets_of(record).form == type.id;
}

Value read_object(const ResourceType& type, const store::Record& record, json::Arena& arena,
                  PendingWork* pending) {
  if (!is_stored_in_version(type, record)) {
    return type.behaviour->from_storage(record, arena, pending);
  }
  return object_of(type, std::string_view(record.bytes).substr(1), arena);
}

Value read_content(const ResourceType& type, const store::Record& record, json::Arena& arena) {
  constexpr std::string_view kFields = R"(,"managedFields":[)";
  const std::string_view bytes = record.bytes;
  const std::size_t end = offsets_of(record).metadata_end;
  // Quotes within texts are escaped, and no other member of metadata with this name is a list.
  const std::size_t fields = bytes.substr(0, end).find(kFields);
  if (fields == std::string_view::npos || !type.form.typed || !is_stored_in_version(type, record)) {
    return read_object(type, record, arena);
  }
  // managedFields is the last member of metadata.
  return object_of(type, arena.join(bytes.substr(1, fields - 1), bytes.substr(end - 1)), arena);
}

EncodedObject encode_in_version(const ResourceType& type, const store::Record& record,
                                VersionMember version, json::Arena& arena, PendingWork* pending) {
  EncodedObject encoded =
      encode_whole_or_typed(type, read_object(type, record, arena, pending), version);
  encoded.places.form = type.id;
  return encoded;
}

store::RecordPtr record_in_version(const ResourceType& type, const store::RecordPtr& record,
                                   PendingWork* pending) {
  if (is_stored_in_version(type, *record) || !type.behaviour->may_need_webhook()) return record;
  json::Arena arena;
  const VersionMember version =
      record->revision == 0 ? VersionMember::kAbsent : VersionMember::kPresent;
  std::shared_ptr<store::Record> shown =
      make_record(encode_in_version(type, *record, version, arena, pending), record->revision);
  shown->key = record->key;
  return shown;
}

Value served_form(const ResourceType& type, const Value& stored, json::Arena& arena) {
  if (type.storage == nullptr) return stored;
  return type.behaviour->convert(stored, *type.storage, arena, nullptr);
}

}  // namespace tabernetes::registry
