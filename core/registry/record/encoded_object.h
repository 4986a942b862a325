// An object's bytes as the store keeps them, and where in them is what is asked for often.
//
// The bytes of a record are `,{"metadata":{...},...}`: a list joins them as they are, a single
// object is a head (`{"kind":..,"apiVersion":..,`) and the bytes after `,{`. Objects that say of
// themselves what they are stand there whole, their members sorted, behind a head of `{`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "json/value.h"
#include "registry/selectors/label_marks.h"
#include "store/record.h"

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
// The same of an object that stands whole, its members sorted. Sorts `object`.
EncodedObject encode_sorted(const json::Value& object, VersionMember version);
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

// metadata of the record as JSON, added to `out`. REQUIRES: the record is shown as it is stored.
void write_metadata(const store::Record& record, store::Revision shown, std::string& out);

}  // namespace tabernetes::registry
