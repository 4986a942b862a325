// Objects of a type out of their records: encoded once, when they are written, and spliced into
// every answer. What was not stored in the form of its type as it is now is read, brought into that
// form and written again for each answer.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "registry/kind/pending_work.h"
#include "registry/kind/resource_type.h"
#include "registry/record/encoded_object.h"
#include "store/record.h"
#include "tabernetes/buffer.h"

namespace tabernetes::registry {

// One or the other, as the type has its objects.
EncodedObject encode_shown(const ResourceType& type, const json::Value& object,
                           VersionMember version);

// The same in the form that the type's objects are stored in.
EncodedObject encode_for_storage(const ResourceType& type, const json::Value& object,
                                 VersionMember version, json::Arena& arena,
                                 PendingWork* pending = nullptr);

// Whether the record's bytes are what `type` shows.
bool is_shown_as_stored(const ResourceType& type, const store::Record& record);

// The whole object as JSON, without a final newline. `shown` is the version to write instead of
// the record's own (that of a DELETED event); 0 keeps it.
void append_object(Rope& rope, const ResourceType& type, const store::RecordPtr& record,
                   store::Revision shown = 0);

// The same in one run of bytes, added to `out`.
void write_object(const ResourceType& type, const store::Record& record, store::Revision shown,
                  std::string& out);

// The record as an item of a list: the bytes with their leading comma unless it is the first.
void append_item(Rope& rope, const ResourceType& type, const store::RecordPtr& record, bool first);

// The record as a tree with kind and apiVersion first. Strings are views of the record's bytes or
// lie in `arena`. What a webhook has to convert is asked of `pending`, here and above; null: it is
// shown as without a webhook.
json::Value read_object(const ResourceType& type, const store::Record& record, json::Arena& arena,
                        PendingWork* pending = nullptr);

// Returns the record as `type` shows it if others have to be asked for that, so that whoever reads
// it later asks nobody; else the same record.
store::RecordPtr shown_record(const ResourceType& type, const store::RecordPtr& record,
                              PendingWork* pending);
// Returns the bytes of such a record, without the digits of its version.
EncodedObject encode_as_shown(const ResourceType& type, const store::Record& record,
                              VersionMember version, json::Arena& arena, PendingWork* pending);

// A tree of the form that `type` is stored in as `type` shows it: the same tree unless it is stored
// as another type.
json::Value served_form(const ResourceType& type, const json::Value& stored, json::Arena& arena);

}  // namespace tabernetes::registry
