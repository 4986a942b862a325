// Bytes from JavaScript: it writes them into one buffer of the memory, of which it has a view, and
// then calls. Nothing is copied on the way.
#pragma once

#include <emscripten/val.h>

#include <cstddef>
#include <string_view>

namespace tabernetes::wasm {

// A view of the buffer for at least `size` bytes. What is in the buffer stays. The view is good
// until the buffer or the memory grows (then its length is 0) or the buffer is dropped.
emscripten::val input(std::size_t size);

// Gives the buffer back, after something large.
void drop_input();

// Reads what stands in the buffer, part by part. The texts are good until the host's next write.
class InputReader {
 public:
  // The next `size` bytes.
  std::string_view take(std::size_t size);

 private:
  std::size_t at_ = 0;
};

}  // namespace tabernetes::wasm
