#include "input.h"

#include <string>

#include "output.h"

namespace tabernetes::wasm {
namespace {

std::string input_bytes;

}  // namespace

emscripten::val input(std::size_t size) {
  if (size > input_bytes.size()) input_bytes.resize(size);
  return view_of(input_bytes);
}

void drop_input() { input_bytes = std::string(); }

std::string_view InputReader::take(std::size_t size) {
  const std::string_view part = std::string_view(input_bytes).substr(at_, size);
  at_ += size;
  return part;
}

}  // namespace tabernetes::wasm
