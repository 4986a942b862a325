// The labels of an object, kept beyond its record.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/value.h"
#include "registry/selectors/label_selector.h"

namespace tabernetes::controllers::scheduling {

class LabelSet {
 public:
  LabelSet() = default;
  // Copies a map of strings; null and other types are empty.
  explicit LabelSet(const json::Value* labels) {
    if (labels == nullptr || !labels->is_object()) return;
    for (const json::Member& member : labels->members()) {
      if (member.value.is_string()) pairs_.emplace_back(member.key, member.value.as_string());
    }
  }

  std::optional<std::string_view> find(std::string_view key) const {
    for (const auto& [name, value] : pairs_) {
      if (name == key) return value;
    }
    return std::nullopt;
  }
  bool match(const registry::LabelSelector& selector) const {
    return selector.matches_by([this](std::string_view key) { return find(key); });
  }
  void set(std::string_view key, std::string_view value) {
    for (auto& [name, old] : pairs_) {
      if (name == key) {
        old = value;
        return;
      }
    }
    pairs_.emplace_back(key, value);
  }
  const std::vector<std::pair<std::string, std::string>>& pairs() const { return pairs_; }
  bool empty() const { return pairs_.empty(); }
  friend bool operator==(const LabelSet&, const LabelSet&) = default;

 private:
  std::vector<std::pair<std::string, std::string>> pairs_;
};

}  // namespace tabernetes::controllers::scheduling
