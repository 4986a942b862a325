// Shorthands of the store's tests for making records and printing states.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "store/store.h"

namespace tabernetes::store {

inline std::shared_ptr<Record> record_of(std::string_view key, std::string_view bytes) {
  auto record = std::make_shared<Record>();
  record->key = key;
  record->bytes = bytes;
  return record;
}

inline Write write_of(std::string_view key, Revision expected, std::string_view bytes) {
  Write write;
  write.key = key;
  write.expected = expected;
  write.make = [bytes = std::string(bytes)](Revision) {
    auto record = std::make_shared<Record>();
    record->bytes = bytes;
    return record;
  };
  return write;
}

// Prints "a=1 b=2".
inline std::string print(const Tree& tree, std::string_view from = {}, std::string_view to = {}) {
  std::string out;
  tree.scan(from, to, [&](std::string_view key, const RecordPtr& record) {
    if (!out.empty()) out += ' ';
    out.append(key).append("=").append(record->bytes);
    return true;
  });
  return out;
}

}  // namespace tabernetes::store
