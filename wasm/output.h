// Bytes to JavaScript: views of the memory, from which the host copies what it keeps. A view is
// valid until the next call. Its length becomes 0 when the memory grows.
#pragma once

#include <emscripten/val.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::wasm {

// Returns `bytes` as a Uint8Array.
emscripten::val view_of(std::string_view bytes);

// Keeps the output of a call until the next call with output or drop_output().
void give_output(std::string bytes);

// Returns that output as a Uint8Array.
emscripten::val output();

// Frees that output.
void drop_output();

// Addresses and sizes of byte slices in the memory, alternating; or pairs of other numbers. The
// host cuts its own view of the memory by them, which costs less than one view per slice.
class Places {
 public:
  void clear() { used_ = 0; }
  void add(std::string_view bytes);
  void add_numbers(unsigned first, unsigned second);
  unsigned count() const { return static_cast<unsigned>(used_ / 2); }
  // Returns the whole array as a Uint32Array. The array is reused until it is too small, so the
  // host keeps the view until it needs a larger one or the memory has grown.
  emscripten::val view() const;

 private:
  std::vector<unsigned int> places_ = std::vector<unsigned int>(64);
  std::size_t used_ = 0;
};

}  // namespace tabernetes::wasm
