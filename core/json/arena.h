// A bump allocator for the working tree of one request. Frees everything at once, with the request,
// or is cleared to be reused for the next object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace tabernetes::json {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Returns `size` bytes aligned to 8, uninitialised, valid until the arena is destroyed or
  // cleared.
  void* allocate(std::size_t size) {
    size = (size + 7) & ~std::size_t{7};
    if (size > left_) return allocate_slow(size);
    void* result = next_;
    next_ += size;
    left_ -= size;
    return result;
  }

  template <typename T>
  T* allocate_array(std::size_t count) {
    return static_cast<T*>(allocate(count * sizeof(T)));
  }

  // Invalidates everything allocated. Keeps the memory if it is one block; otherwise frees all
  // blocks, and the next one is larger than each of them.
  void clear() {
    if (blocks_.size() > 1) blocks_.clear();
    left_ = blocks_.empty() ? 0 : first_size_;
    next_ = blocks_.empty() ? nullptr : reinterpret_cast<char*>(blocks_.front().get());
  }

  // Copies `text`; the copy lives as long as the arena.
  std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    char* bytes = static_cast<char*>(allocate(text.size()));
    std::memcpy(bytes, text.data(), text.size());
    return {bytes, text.size()};
  }

  // Copies the two texts, one after the other.
  std::string_view join(std::string_view first, std::string_view second) {
    const std::size_t size = first.size() + second.size();
    if (size == 0) return {};
    char* bytes = static_cast<char*>(allocate(size));
    if (!first.empty()) std::memcpy(bytes, first.data(), first.size());
    if (!second.empty()) std::memcpy(bytes + first.size(), second.data(), second.size());
    return {bytes, size};
  }

  // Frees everything, and begins with small blocks again.
  void release() {
    blocks_.clear();
    next_ = nullptr;
    left_ = 0;
    next_block_ = kFirstBlock;
  }

 private:
  static constexpr std::size_t kFirstBlock = 8 * 1024;
  static constexpr std::size_t kLargestBlock = 1024 * 1024;

  void* allocate_slow(std::size_t size) {
    std::size_t block = next_block_;
    if (next_block_ < kLargestBlock) next_block_ *= 2;
    if (block < size) block = size;
    if (blocks_.empty()) first_size_ = block;
    // Uses new, not make_unique, which would zero the block.
    blocks_.push_back(std::unique_ptr<std::uint64_t[]>(new std::uint64_t[block / 8 + 1]));
    char* bytes = reinterpret_cast<char*>(blocks_.back().get());
    // A block made for one large allocation does not replace a current one with more room.
    if (block - size >= left_) {
      next_ = bytes + size;
      left_ = block - size;
    }
    return bytes;
  }

  std::vector<std::unique_ptr<std::uint64_t[]>> blocks_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t first_size_ = 0;  // of the first block
  std::size_t next_block_ = kFirstBlock;
};

}  // namespace tabernetes::json
