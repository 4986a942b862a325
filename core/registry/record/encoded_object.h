// An object's bytes as they are stored, with the offsets of parts that are read often.
//
// The bytes of a record are `,{"metadata":{...},...}`: a list concatenates them unchanged; a single
// object consists of a head (`{"kind":..,"apiVersion":..,`) and the bytes after `,{`. Objects that
// contain their own kind and apiVersion (custom resources) are stored whole with sorted members;
// their head is `{`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "json/value.h"
#include "registry/selectors/label_bloom.h"
#include "store/record.h"

namespace tabernetes::registry {

// Offsets in a record's bytes, and the Bloom filter of its labels.
struct RecordOffsets {
  std::uint32_t version_begin = 0;  // offset of the digits of metadata.resourceVersion
  std::uint32_t version_size = 0;
  std::uint32_t labels_begin = 0;  // metadata.labels with its braces; size 0: no labels
  std::uint32_t labels_size = 0;
  std::uint32_t metadata_begin = 0;  // metadata with its braces
  std::uint32_t metadata_end = 0;
  std::uint32_t form = 0;    // id of the resource type in whose version it is encoded; 0: unknown
  bool owned = false;        // has metadata.ownerReferences
  bool terminating = false;  // has metadata.deletionTimestamp
  LabelBloom label_bloom = 0;
};

// The type of all records of objects.
struct ObjectRecord final : store::Record {
  RecordOffsets places;
};

// An encoded object without the digits of its resourceVersion.
struct EncodedObject {
  std::string bytes;
  RecordOffsets places;  // version_size is 0
};

// Encodes a decoded tree (the output of schema::decode_typed). Ignores its `kind`, `apiVersion` and
// `metadata.resourceVersion`. kAbsent omits the resourceVersion member (for a dry run).
enum class VersionMember { kPresent, kAbsent };
EncodedObject encode_object(const json::Value& object, VersionMember version);
// Encodes an object that is stored whole, with sorted members. Sorts `object`.
EncodedObject encode_sorted(const json::Value& object, VersionMember version);
// Returns true if `stored` has the same bytes, apart from its resourceVersion.
bool equal_except_version(const store::Record& stored, const EncodedObject& encoded);

// Makes the record of `encoded` at `revision` (0: without a version).
std::shared_ptr<store::Record> make_record(EncodedObject encoded, store::Revision revision);

// Returns the record at another revision. REQUIRES: it has a version.
std::shared_ptr<ObjectRecord> renumbered(const store::Record& record, store::Revision revision);

inline const RecordOffsets& offsets_of(const store::Record& record) {
  return static_cast<const ObjectRecord&>(record).places;
}

// Returns the labels as JSON, a view of the record's bytes; empty if there are none.
inline std::string_view labels_of(const store::Record& record) {
  const RecordOffsets& places = offsets_of(record);
  return std::string_view(record.bytes).substr(places.labels_begin, places.labels_size);
}

// Returns the value of the label `name`, a view of the record's bytes, or nullopt. Reads the bytes
// directly: no tree, no allocation.
std::optional<std::string_view> label_of(const store::Record& record, std::string_view name);

// Appends the record's metadata as JSON to `out`. REQUIRES: the record is returned in its stored
// version.
void write_metadata(const store::Record& record, store::Revision shown, std::string& out);

}  // namespace tabernetes::registry
