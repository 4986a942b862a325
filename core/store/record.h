// A stored object: its encoded bytes at one revision, immutable and shared by tree versions,
// history, watch events and answers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tabernetes::store {

// The position of a write in the history of all writes. The first write has 2; an empty store is at
// 1.
using Revision = std::uint64_t;

// The store fills in `key` and `revision` when it accepts the record. Upper layers may derive from
// this type to attach what they need for reading it.
struct Record {
  std::string key;
  Revision revision = 0;  // of the write that made it
  std::string bytes;
};

using RecordPtr = std::shared_ptr<const Record>;

}  // namespace tabernetes::store
