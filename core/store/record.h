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

// `key` and `revision` are filled in by the store when it takes the record. The layer above may
// make records of a type derived from this one, with what it reads them by.
struct Record {
  std::string key;
  Revision revision = 0;  // of the write that made it
  std::string bytes;
};

using RecordPtr = std::shared_ptr<const Record>;

}  // namespace tabernetes::store
