// The records that cross the border between JavaScript and the core; see border.h.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "tabernetes/buffer.h"

namespace tabernetes::wasm {

// Reads what the host wrote, in order. The host is ours, so its records are well formed.
class RecordReader {
 public:
  explicit RecordReader(const std::string& record) : record_(record) {}

  std::uint32_t word() {
    std::uint32_t value = 0;
    std::memcpy(&value, record_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  // A string: a word of length, then the bytes.
  std::string text() { return std::string(view()); }

  // The same, good as long as the record.
  std::string_view view() {
    const std::uint32_t size = word();
    const std::string_view value(record_.data() + at_, size);
    at_ += size;
    return value;
  }

 private:
  const std::string& record_;
  std::size_t at_ = 0;
};

// Words for the host. Of texts only address and size are written: they must outlive the host's
// reading.
class RecordWriter {
 public:
  void start() { words_.clear(); }
  void word(std::size_t value) { words_.push_back(static_cast<std::uint32_t>(value)); }
  void text(std::string_view text) {
    word(reinterpret_cast<std::uintptr_t>(text.data()));
    word(text.size());
  }
  void rope(const Rope& rope) {
    word(rope.slices().size());
    for (const Slice& slice : rope.slices()) text(slice.view());
  }
  const std::uint32_t* words() const { return words_.data(); }

 private:
  std::vector<std::uint32_t> words_;
};

}  // namespace tabernetes::wasm
