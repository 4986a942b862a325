// Expands the words of a shell: variables, commands, patterns of files.
#include <algorithm>
#include <utility>

#include "server/containers/shell.h"

namespace tabernetes::server {
namespace {

constexpr int kMostDepth = 8;

}  // namespace

Shell::Words Shell::expand(const std::vector<ShellWord>& words) {
  Words out;
  for (const ShellWord& word : words) expand_word(word, out);
  return out;
}

void Shell::expand_word(const ShellWord& word, Words& out) {
  std::string text;
  bool any = false, pattern = false;
  for (const ShellPiece& piece : word) {
    std::string part = piece.text;
    if (piece.kind == ShellPiece::Kind::kVariable) part = variable(piece.text);
    if (piece.kind == ShellPiece::Kind::kCommand) part = substitute(piece.text);
    if (piece.quoted || piece.kind == ShellPiece::Kind::kText) {
      any = any || piece.quoted || !part.empty();
      pattern = pattern || (!piece.quoted && part.find('*') != std::string::npos);
      text += part;
      continue;
    }
    // An unquoted value is split at white space.
    for (const char c : part) {
      if (c != ' ' && c != '\n' && c != '\t') {
        text += c;
        any = true;
      } else if (any) {
        out.push_back(std::exchange(text, {}));
        any = false;
      }
    }
  }
  if (!any) return;
  if (pattern) return expand_files(text, out);
  out.push_back(std::move(text));
}

// Replaces a pattern by the files that it names, if there are any.
void Shell::expand_files(const std::string& pattern, Words& out) const {
  const std::size_t slash = pattern.rfind('/');
  const std::string above = slash == std::string::npos ? "" : pattern.substr(0, slash + 1);
  const std::string last = slash == std::string::npos ? pattern : pattern.substr(slash + 1);
  const std::size_t before = out.size();
  if (above.find('*') == std::string::npos) {
    for (const std::string& name : world_.files.names_in(normal_path(above, folder_))) {
      if (name[0] != '.' && matches_wildcard(last, name)) out.push_back(above + name);
    }
  }
  if (out.size() == before) out.push_back(pattern);
}

// Expands a word to one text, which is not split.
std::string Shell::join_pieces(const ShellWord& word) {
  std::string text;
  for (const ShellPiece& piece : word) {
    if (piece.kind == ShellPiece::Kind::kText) text += piece.text;
    if (piece.kind == ShellPiece::Kind::kVariable) text += variable(piece.text);
    if (piece.kind == ShellPiece::Kind::kCommand) text += substitute(piece.text);
  }
  return text;
}

std::string Shell::expand_text(const ShellWord& word) {
  Words words;
  expand_word(word, words);
  std::string all;
  for (const std::string& part : words) all.append(all.empty() ? "" : " ").append(part);
  return all;
}

// Runs a script in a shell inside this one, which does not wait for anything.
Shell::Result Shell::result_of(std::string_view script, std::string input) {
  if (depth_ >= kMostDepth) return {};
  Shell inner(world_, answers_, now_);
  inner.folder_ = folder_;
  inner.depth_ = depth_ + 1;
  inner.given_ = std::move(input);
  inner.run_script(script);
  return {inner.take_out(), inner.take_err(), inner.status_};
}

void Shell::run_inner(std::string_view script, std::string input) {
  end_stage(result_of(script, std::move(input)));
}

// Returns what a script writes, without the last newlines.
std::string Shell::substitute(std::string_view script) {
  Result result = result_of(script, {});
  status_ = result.code;
  complain(result.err);
  std::string text = std::move(result.out);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string Shell::variable(std::string_view name) const {
  if (name == "?") return std::to_string(status_);
  if (name == "$") return "7";
  if (name == "PWD") return folder_.empty() ? "/" : folder_;
  for (const auto& [key, value] : world_.environment) {
    if (key == name) return value;
  }
  return {};
}

void Shell::set_variable(std::string_view name, std::string value) {
  for (auto& [key, present] : world_.environment) {
    if (key != name) continue;
    present = std::move(value);
    return;
  }
  world_.environment.emplace_back(std::string(name), std::move(value));
}

}  // namespace tabernetes::server
