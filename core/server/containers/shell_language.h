// The language of the small shell: commands in pipelines, quotes, variables, redirections. It has
// no loops and no functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::server {

// A part of a word.
struct ShellPiece {
  enum class Kind { kText, kVariable, kCommand };
  Kind kind = Kind::kText;
  std::string text;     // the text, the name of the variable, the script
  bool quoted = false;  // what it expands to is not split, and `*` is an asterisk
};
using ShellWord = std::vector<ShellPiece>;

struct ShellRedirect {
  enum class Kind { kIn, kOut, kAppend, kErrToOut };
  Kind kind = Kind::kOut;
  int from = 1;  // 1 or 2; of kOut and kAppend
  ShellWord target;
};

struct ShellCommand {
  std::vector<ShellWord> words;
  std::vector<ShellRedirect> redirects;
};

struct ShellStep {
  enum class When { kAlways, kSuccess, kFailure };
  When when = When::kAlways;
  std::vector<ShellCommand> pipeline;  // not empty
};

struct ShellScript {
  std::vector<ShellStep> steps;
  std::string error;  // why it is none: `syntax error: unexpected "("`
};
ShellScript parse_script(std::string_view text);

}  // namespace tabernetes::server
