#include "rules/name_table.h"

#include "base/algorithm/sort.h"
#include "json/key_hash.h"

namespace tabernetes::registry::validation {

const NameTable::Entry* NameTable::find(std::string_view name) const {
  if (slots_.empty()) {
    for (std::size_t i = 0; i < size_; ++i) {
      if (few_[i].name == name) return &few_[i];
    }
    return nullptr;
  }
  const std::uint32_t place = slots_[slot_of(name)];
  return place == 0 ? nullptr : &many_[place - 1];
}

std::size_t NameTable::slot_of(std::string_view name) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = json::hash_key(name, 0) & mask;
  while (slots_[i] != 0 && many_[slots_[i] - 1].name != name) i = (i + 1) & mask;
  return i;
}

bool NameTable::add(std::string_view name, const json::Value* value) {
  if (find(name) != nullptr) return false;
  if (size_ < kFew) {
    few_[size_++] = {name, value};
    return true;
  }
  if (slots_.empty()) many_.assign(few_.begin(), few_.end());
  many_.push_back({name, value});
  ++size_;
  if (size_ * 2 > slots_.size()) {
    slots_.assign(slots_.empty() ? kFew * 4 : slots_.size() * 2, 0);
    for (std::uint32_t n = 0; n < size_; ++n) slots_[slot_of(many_[n].name)] = n + 1;
  } else {
    slots_[slot_of(name)] = static_cast<std::uint32_t>(size_);
  }
  return true;
}

std::string NameTable::sorted() const {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < size_; ++i) {
    names.push_back(slots_.empty() ? few_[i].name : many_[i].name);
  }
  sort_stable(names);
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

}  // namespace tabernetes::registry::validation
