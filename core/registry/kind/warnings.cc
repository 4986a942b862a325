#include "registry/kind/warnings.h"

namespace tabernetes::registry {

void Warnings::add(std::initializer_list<std::string_view> parts) {
  if (full()) return;
  std::string& text = texts_.emplace_back();
  for (const std::string_view part : parts) text.append(part);
}

void Warnings::at(const validation::Field& place, std::initializer_list<std::string_view> parts) {
  if (full()) return;
  add(parts);
  texts_.back().insert(0, place.path().text() + ": ");
}

std::int64_t FirstOccurrences::find_or_add(std::string_view text, std::int64_t number) {
  if (const json::Value* known = texts_.find(text)) return known->as_int();
  texts_.append(arena_, text, json::Value::integer(number));
  return number;
}

}  // namespace tabernetes::registry
