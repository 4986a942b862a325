// How the linear memory grows: by a part of itself. Emscripten's own growth, which this replaces
// (--wrap in CMakeLists.txt), is by what the allocator asks for, 64 KiB at a time; but each growth
// gives JavaScript a new buffer of the whole size, and engines collect garbage by the sum of the
// buffers they have given. A load of 100,000 objects spent most of its time there.
#include <algorithm>
#include <cstddef>

namespace {

constexpr std::size_t kPage = 65536;
constexpr std::size_t kPart = 8;

bool grow(std::size_t pages) { return __builtin_wasm_memory_grow(0, pages) != ~std::size_t{0}; }

}  // namespace

// Makes room for `size` bytes in all; 0 if there is none.
extern "C" int __wrap_emscripten_resize_heap(std::size_t size) {
  const std::size_t present = __builtin_wasm_memory_size(0);
  const std::size_t wanted = size / kPage + (size % kPage != 0 ? 1 : 0) - present;
  return grow(std::max(wanted, present / kPart)) || grow(wanted) ? 1 : 0;
}
