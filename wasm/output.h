// Bytes to JavaScript: views of the memory, from which it copies what it keeps. A view is good
// until the next call; when the memory grows, its length becomes 0.
#pragma once

#include <emscripten/val.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::wasm {

// As a Uint8Array.
emscripten::val view_of(std::string_view bytes);

// Keeps the bytes that a call gives, until the next call that gives some or drop_output().
void give_output(std::string bytes);

// Those bytes, as a Uint8Array.
emscripten::val output();

// Frees them.
void drop_output();

// Where pieces of bytes lie in the memory: the address and the size of each, one after the other.
// The host cuts its own view of the memory by them, which costs less than a view of each.
class Places {
 public:
  void clear() { used_ = 0; }
  void add(std::string_view bytes);
  unsigned count() const { return static_cast<unsigned>(used_ / 2); }
  // All the room there is, as a Uint32Array. The same room is used again until it is too small for
  // what is added, so the host keeps the view until it has to be larger, or the memory has grown.
  emscripten::val view() const;

 private:
  std::vector<unsigned int> places_ = std::vector<unsigned int>(64);
  std::size_t used_ = 0;
};

}  // namespace tabernetes::wasm
