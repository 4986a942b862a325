// Converts values of the core to JavaScript objects and arrays, and back.
#pragma once

#include <emscripten/val.h>

#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tabernetes/expected.h"

namespace tabernetes::wasm {

// Returns an object with these members.
inline emscripten::val object_of(
    std::initializer_list<std::pair<const char*, emscripten::val>> members) {
  emscripten::val object = emscripten::val::object();
  for (const auto& [name, value] : members) object.set(name, value);
  return object;
}

// Returns an array of `make(item)` for each item.
template <typename List, typename Make>
emscripten::val array_of(const List& items, Make make) {
  emscripten::val array = emscripten::val::array();
  unsigned place = 0;
  for (const auto& item : items) array.set(place++, make(item));
  return array;
}

// Returns an array of strings.
inline emscripten::val array_of(const std::vector<std::string>& texts) {
  return array_of(texts, [](const std::string& text) { return emscripten::val(text); });
}

// Returns the strings of a JavaScript array.
inline std::vector<std::string> texts_of(const emscripten::val& array) {
  return emscripten::vecFromJSArray<std::string>(array);
}

// Returns the number that decimal digits write.
inline std::uint64_t parse_number(std::string_view decimal) {
  std::uint64_t number = 0;
  std::from_chars(decimal.data(), decimal.data() + decimal.size(), number);
  return number;
}

// Returns the message of a fault; empty if there is none.
template <typename T>
std::string fault_text(const Expected<T>& made) {
  return made ? std::string() : made.fault().message;
}

}  // namespace tabernetes::wasm
