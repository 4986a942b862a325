// Immutable, shared bytes and ropes of them: what requests and answers are made of.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tabernetes {

// A run of immutable bytes. Copies share them; a null owner means static storage.
class Slice {
 public:
  Slice() = default;

  // Bytes that live as long as the program, such as a string literal.
  static Slice from_static(std::string_view bytes) { return Slice(bytes, nullptr); }

  // Takes the string over.
  static Slice from_string(std::string bytes) {
    auto owner = std::make_shared<const std::string>(std::move(bytes));
    const std::string_view view = *owner;
    return Slice(view, std::move(owner));
  }

  // A part of bytes that `owner` keeps alive.
  static Slice shared(std::string_view bytes, std::shared_ptr<const void> owner) {
    return Slice(bytes, std::move(owner));
  }

  std::string_view view() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  Slice(std::string_view bytes, std::shared_ptr<const void> owner)
      : bytes_(bytes), owner_(std::move(owner)) {}

  std::string_view bytes_;
  std::shared_ptr<const void> owner_;
};

// Slices one after another: a body that was never copied together.
class Rope {
 public:
  Rope() = default;
  explicit Rope(std::string text) { append(std::move(text)); }

  void append(Slice slice) {
    if (slice.empty()) return;
    size_ += slice.size();
    slices_.push_back(std::move(slice));
  }
  void append(std::string text) { append(Slice::from_string(std::move(text))); }
  void append_static(std::string_view text) { append(Slice::from_static(text)); }
  void append(const Rope& other) {
    for (const Slice& slice : other.slices_) append(slice);
  }
  void reserve(std::size_t slices) { slices_.reserve(slices); }

  const std::vector<Slice>& slices() const { return slices_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // All bytes in one string; copies.
  std::string flatten() const {
    std::string all;
    all.reserve(size_);
    for (const Slice& slice : slices_) all.append(slice.view());
    return all;
  }

 private:
  std::vector<Slice> slices_;
  std::size_t size_ = 0;
};

}  // namespace tabernetes
