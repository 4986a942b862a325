// A buffer that is filled from its end to its beginning.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace tabernetes::codec {

class BackwardBuffer {
 public:
  std::size_t size() const { return capacity_ - begin_; }
  // Valid until the next call of put().
  std::string_view view() const { return {bytes_.get() + begin_, size()}; }

  // Prepends `text`.
  void put(std::string_view text) {
    if (text.size() > begin_) grow(text.size());
    begin_ -= text.size();
    if (!text.empty()) std::memcpy(bytes_.get() + begin_, text.data(), text.size());
  }

 private:
  void grow(std::size_t needed) {
    const std::size_t capacity = 2 * (capacity_ + needed) + 2048;
    // Uses new, not make_unique, which would zero it.
    std::unique_ptr<char[]> larger(new char[capacity]);
    const std::size_t begin = capacity - size();
    if (size() > 0) std::memcpy(larger.get() + begin, bytes_.get() + begin_, size());
    bytes_ = std::move(larger);
    begin_ = begin;
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;  // start of the text, which extends to the end
};

}  // namespace tabernetes::codec
