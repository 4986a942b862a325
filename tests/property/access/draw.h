// What random policies and requests are drawn from, and how often.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::access {

using Names = std::vector<std::string>;

inline std::uint64_t setting(const char* variable, std::uint64_t usual) {
  const char* text = std::getenv(variable);
  return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t count) { return random_() % count; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  std::string from(std::initializer_list<std::string_view> texts) {
    return std::string(*(texts.begin() + below(texts.size())));
  }
  // Returns some of the texts, at least `least`.
  Names some(std::initializer_list<std::string_view> texts, std::size_t least) {
    Names names;
    const std::size_t count = least + below(3);
    for (std::size_t i = 0; i < count; ++i) names.push_back(from(texts));
    return names;
  }

 private:
  std::mt19937_64 random_;
};

inline bool contains(const Names& names, std::string_view name) {
  for (const std::string& one : names) {
    if (one == name) return true;
  }
  return false;
}

// Returns a JSON list of texts.
inline std::string list_text(const Names& names) {
  std::string text = "[";
  for (const std::string& name : names) text += (text.size() > 1 ? ",\"" : "\"") + name + "\"";
  return text + "]";
}

}  // namespace tabernetes::access
