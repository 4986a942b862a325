#include "completion.h"

#include <utility>

#include "completion_text.h"
#include "flag_table.h"

namespace tabernetes::host {
namespace {

constexpr std::pair<std::string_view, std::string_view> kScripts[] = {
    {"bash", kBashCompletion}, {"fish", kFishCompletion}, {"zsh", kZshCompletion}};

// Returns the values that a flag may have; none if they are not few.
std::vector<std::string> values_of(const std::string& word) {
  const Flag* flag = word.starts_with("--") ? find_flag(word.substr(2)) : nullptr;
  if (flag == nullptr) return {};
  if (flag->value == "BOOL") return {"true", "false"};
  return flag->choices;
}

std::vector<std::string> words_at(const std::vector<std::string>& words,
                                  const std::vector<std::string>& commands) {
  if (words.size() == 1) return commands;
  std::vector<std::string> found;
  if (words.front() == "completion" && words.size() == 2) {
    for (const auto& [shell, script] : kScripts) found.emplace_back(shell);
  }
  if (words.front() != "serve") return found;
  if (!words.back().starts_with('-')) return values_of(words[words.size() - 2]);
  for (const Flag& flag : flag_table()) found.push_back("--" + flag.name);
  return found;
}

}  // namespace

std::optional<std::string_view> completion_script(std::string_view shell) {
  for (const auto& [name, script] : kScripts) {
    if (name == shell) return script;
  }
  return std::nullopt;
}

std::vector<std::string> completions(const std::vector<std::string>& words,
                                     const std::vector<std::string>& commands) {
  if (words.empty()) return {};
  std::vector<std::string> found = words_at(words, commands);
  std::erase_if(found, [&](const std::string& word) { return !word.starts_with(words.back()); });
  return found;
}

}  // namespace tabernetes::host
