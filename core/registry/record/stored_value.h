// The bytes of a record as a backend stores them: independent of the revision, so that whoever
// stores them may number them, and complete, so that reading them needs no decoding.
//
//   byte 0        1, the format
//   byte 1        bits: 1 owned, 2 terminating, 4 encoded in the storage version of its definition
//   bytes 2..21   the offsets version_begin, labels_begin, labels_size, metadata_begin and
//                 metadata_end (see RecordOffsets), 4 bytes each, least significant first
//   bytes 22..29  the Bloom filter of the labels, in the same way
//   the rest      the record's bytes without the digits of metadata.resourceVersion, in which the
//                 offsets count
#pragma once

#include <memory>
#include <string_view>

#include "registry/record/encoded_object.h"
#include "store/record.h"
#include "tabernetes/buffer.h"

namespace tabernetes::registry {

// Returns the value of an object's record. Shares the record's bytes.
Rope write_stored_value(const store::RecordPtr& record);

struct ReadValue {
  std::shared_ptr<ObjectRecord> record;  // without its key; null for bytes that are no value
  bool formed = false;                   // its RecordOffsets::form was known
};
ReadValue read_stored_value(std::string_view value, store::Revision revision);

}  // namespace tabernetes::registry
