// What the store keeps of an object: its encoded bytes at one revision, immutable and shared by
// tree versions, history, watch events and answers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tabernetes::store {

// A position in the one history of all writes. The first write has 2; an empty store is at 1.
using Revision = std::uint64_t;

// What the layer above attaches to a record to select by: opaque here.
class Attachment {
 public:
  virtual ~Attachment() = default;
};

// `key` and `revision` are filled in by the store when it takes the record.
struct Record {
  std::string key;
  Revision revision = 0;  // of the write that made it
  std::string bytes;
  std::unique_ptr<const Attachment> attachment;
};

using RecordPtr = std::shared_ptr<const Record>;

}  // namespace tabernetes::store
