// Objects from their records. An object is encoded once, when it is written, and its bytes are
// spliced into every response. A record that is not in the version of its type is converted and
// encoded for each response.
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

// Encodes an object in the form of the type: in the type's order, or whole and sorted.
EncodedObject encode_whole_or_typed(const ResourceType& type, const json::Value& object,
                                    VersionMember version);

// Encodes an object in the storage version of its type.
EncodedObject encode_for_storage(const ResourceType& type, const json::Value& object,
                                 VersionMember version, json::Arena& arena,
                                 PendingWork* pending = nullptr);

// Returns true if the record's bytes are in the version of `type`.
bool is_stored_in_version(const ResourceType& type, const store::Record& record);

// Appends the whole object as JSON without a final newline. `shown` is the version to write instead
// of the record's (for a DELETED event); 0: the record's.
void append_object(Rope& rope, const ResourceType& type, const store::RecordPtr& record,
                   store::Revision shown = 0);

// Appends the same to `out`.
void write_object(const ResourceType& type, const store::Record& record, store::Revision shown,
                  std::string& out);

// Appends the record as an item of a list: its bytes, with the leading comma unless it is the
// first.
void append_item(Rope& rope, const ResourceType& type, const store::RecordPtr& record, bool first);

// Returns the record as a tree with kind and apiVersion first. Strings are views of the record's
// bytes or lie in `arena`. Webhook conversions are requested from `pending` (here and above); null:
// the object is returned as without a webhook.
json::Value read_object(const ResourceType& type, const store::Record& record, json::Arena& arena,
                        PendingWork* pending = nullptr);

// Returns the same tree for readers that need no metadata.managedFields: those of a built-in kind,
// about half of the object, are not read. Strings lie in `arena`.
json::Value read_content(const ResourceType& type, const store::Record& record, json::Arena& arena);

// Returns the record converted to `type` if that needs a webhook, so that later readers need none;
// otherwise the same record.
store::RecordPtr record_in_version(const ResourceType& type, const store::RecordPtr& record,
                                   PendingWork* pending);
// Returns the bytes of such a record without the digits of its version.
EncodedObject encode_in_version(const ResourceType& type, const store::Record& record,
                                VersionMember version, json::Arena& arena, PendingWork* pending);

// Returns `stored`, a tree in the storage version of `type`, in the version of `type`: the same
// tree if they are the same.
json::Value served_form(const ResourceType& type, const json::Value& stored, json::Arena& arena);

}  // namespace tabernetes::registry
