// Bytes from JavaScript. The host writes them into one buffer in the WebAssembly memory, of which
// it has a view, and then calls; nothing is copied on the way.
#pragma once

#include <emscripten/val.h>

#include <cstddef>
#include <string_view>

namespace tabernetes::wasm {

// Returns a view of the buffer, which holds at least `size` bytes; its content is kept. The view is
// valid until the buffer grows or is dropped. Its length becomes 0 when the memory grows.
emscripten::val input(std::size_t size);

// Frees the buffer, after a large input.
void drop_input();

// Reads the buffer part by part. The returned views are valid until the host writes again.
class InputReader {
 public:
  // Returns the next `size` bytes.
  std::string_view take(std::size_t size);

 private:
  std::size_t at_ = 0;
};

}  // namespace tabernetes::wasm
