// An object as the store keeps it: encoded once, when it is written, and spliced into every answer.
//
// The bytes of a record are `,{"metadata":{...},...}`: a list joins them as they are, a single
// object is the type's head (`{"kind":..,"apiVersion":..,`) and the bytes after `,{`. Custom
// resources stand there whole, kind and apiVersion among their sorted members, behind a head of
// `{`. What was not stored in the form of its type as it is now is read, brought into that form and
// written again for each answer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/value.h"
#include "registry/label_marks.h"
#include "registry/pending_work.h"
#include "registry/resource_type.h"
#include "store/record.h"
#include "tabernetes/buffer.h"

namespace tabernetes::registry {

// Places in a record's bytes, and the marks of the labels there.
struct ObjectPlaces {
  std::uint32_t version_begin = 0;  // of the digits of metadata.resourceVersion
  std::uint32_t version_size = 0;
  std::uint32_t labels_begin = 0;  // of metadata.labels with its braces; size 0: no labels
  std::uint32_t labels_size = 0;
  std::uint32_t metadata_begin = 0;  // of metadata with its braces
  std::uint32_t metadata_end = 0;
  std::uint32_t form = 0;    // the id of the type whose form it has; 0: not known
  bool owned = false;        // it has metadata.ownerReferences
  bool terminating = false;  // it has metadata.deletionTimestamp
  LabelMarks label_marks = 0;
};

// What all records of objects are.
struct ObjectRecord final : store::Record {
  ObjectPlaces places;
};

// An object before it has its version: bytes without the digits.
struct EncodedObject {
  std::string bytes;
  ObjectPlaces places;  // version_size is 0
};

// Encodes a decoded tree (schema::decode_typed's output). `kind`, `apiVersion` and
// `metadata.resourceVersion` of the tree do not count. Without `with_version` there is no
// resourceVersion member at all (the answer to a dry run).
enum class VersionMember { kPresent, kAbsent };
EncodedObject encode_object(const json::Value& object, VersionMember version);
// The same of a custom resource.
EncodedObject encode_custom(const json::Value& object, VersionMember version);

// The same in the form that the type's objects are stored in.
EncodedObject encode_for_storage(const ResourceType& type, const json::Value& object,
                                 VersionMember version, json::Arena& arena,
                                 PendingWork* pending = nullptr);

// Whether the record's bytes are what `type` shows.
bool is_shown_as_stored(const ResourceType& type, const store::Record& record);

// True if `stored` has the same bytes apart from its version.
bool same_but_version(const store::Record& stored, const EncodedObject& encoded);

// The record of `encoded` at `revision` (0: leaves the version out).
std::shared_ptr<store::Record> make_record(EncodedObject encoded, store::Revision revision);

inline const ObjectPlaces& places_of(const store::Record& record) {
  return static_cast<const ObjectRecord&>(record).places;
}

// The labels as JSON, a view of the record's bytes; empty if it has none.
inline std::string_view labels_of(const store::Record& record) {
  const ObjectPlaces& places = places_of(record);
  return std::string_view(record.bytes).substr(places.labels_begin, places.labels_size);
}

// The value of the record's label `name`, a view of its bytes; nothing if it has no such label.
// Reads the bytes as they are: no tree, no allocation.
std::optional<std::string_view> label_of(const store::Record& record, std::string_view name);

// The whole object as JSON, without a final newline. `shown` is the version to write instead of
// the record's own (that of a DELETED event); 0 keeps it.
void append_object(Rope& rope, const ResourceType& type, const store::RecordPtr& record,
                   store::Revision shown = 0);

// The same in one run of bytes, added to `out`.
void write_object(const ResourceType& type, const store::Record& record, store::Revision shown,
                  std::string& out);

// metadata of the record as JSON, added to `out`. REQUIRES: is_shown_as_stored().
void write_metadata(const store::Record& record, store::Revision shown, std::string& out);

// The record as an item of a list: the bytes with their leading comma unless it is the first.
void append_item(Rope& rope, const ResourceType& type, const store::RecordPtr& record, bool first);

// The record as a tree with kind and apiVersion first. Strings are views of the record's bytes or
// lie in `arena`. What a webhook has to convert is asked of `pending`, here and above; null: it is
// shown as without a webhook.
json::Value read_object(const ResourceType& type, const store::Record& record, json::Arena& arena,
                        PendingWork* pending = nullptr);

// A tree of the form that `type` is stored in as `type` shows it: the same tree unless it is stored
// as another type.
json::Value served_form(const ResourceType& type, const json::Value& stored, json::Arena& arena);

}  // namespace tabernetes::registry
