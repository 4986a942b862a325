#include "server/containers/programs.h"

#include <algorithm>
#include <charconv>

namespace tabernetes::server {

void ProgramRun::fail_at(std::string_view doing, std::string_view file, std::string_view why) {
  code = 1;
  err.append(doing).append(" '").append(file).append("': ").append(why).append("\n");
}

const Program* find_program(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  if (slash != std::string_view::npos) {
    const std::string_view folder = name.substr(0, slash);
    if (folder != "/bin" && folder != "/usr/bin" && folder != "/usr/local/bin") return nullptr;
    name.remove_prefix(slash + 1);
  }
  for (const std::vector<Program>* table : {&text_programs(), &file_programs()}) {
    for (const Program& program : *table) {
      if (program.name == name) return &program;
    }
  }
  return nullptr;
}

std::vector<std::string> operands(const std::vector<std::string>& words) {
  std::vector<std::string> found;
  bool options = true;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (options && words[i] == "--") {
      options = false;
    } else if (!options || words[i].size() < 2 || words[i][0] != '-') {
      found.push_back(words[i]);
    }
  }
  return found;
}

bool has_option(const std::vector<std::string>& words, char letter) {
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    const std::string& word = words[i];
    if (word.size() > 1 && word[0] == '-' && word[1] != '-' &&
        word.find(letter, 1) != std::string::npos) {
      return true;
    }
  }
  return false;
}

std::optional<std::int64_t> number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

}  // namespace tabernetes::server
