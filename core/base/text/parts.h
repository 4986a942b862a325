// Joining and cutting texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tabernetes {

// Returns the texts of a range one behind the other, with `separator` between each two.
template <typename Texts>
std::string join(const Texts& texts, std::string_view separator) {
  std::string joined;
  bool first = true;
  for (const auto& text : texts) {
    if (!first) joined += separator;
    first = false;
    joined += text;
  }
  return joined;
}

// Appends `part` to `text`, behind `separator` if there is something before it.
inline void append_part(std::string& text, std::string_view part, std::string_view separator) {
  if (!text.empty()) text += separator;
  text += part;
}

// Takes the first part off `text`: what stands before `separator`, or all of it. The separator goes
// too.
inline std::string_view take_part(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

// Returns the parts between separators; one more than there are separators.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Returns `text` without those of `characters` that it begins or ends with.
inline std::string_view trim(std::string_view text, std::string_view characters) {
  const std::size_t first = text.find_first_not_of(characters);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(characters) - first + 1);
}

}  // namespace tabernetes
