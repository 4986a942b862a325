#include "output.h"

#include <cstdint>
#include <utility>

namespace tabernetes::wasm {
namespace {

using emscripten::typed_memory_view;
using emscripten::val;

std::string output_bytes;

}  // namespace

val view_of(std::string_view bytes) {
  return val(typed_memory_view(bytes.size(), reinterpret_cast<const unsigned char*>(bytes.data())));
}

void give_output(std::string bytes) { output_bytes = std::move(bytes); }

val output() { return view_of(output_bytes); }

void drop_output() { output_bytes = std::string(); }

void Places::add(std::string_view bytes) {
  add_numbers(reinterpret_cast<std::uintptr_t>(bytes.data()), bytes.size());
}

void Places::add_numbers(unsigned first, unsigned second) {
  if (used_ == places_.size()) places_.resize(2 * used_);
  places_[used_++] = first;
  places_[used_++] = second;
}

val Places::view() const { return val(typed_memory_view(places_.size(), places_.data())); }

}  // namespace tabernetes::wasm
