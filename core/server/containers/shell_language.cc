#include "server/containers/shell_language.h"

#include <algorithm>
#include <utility>

namespace tabernetes::server {
namespace {

using When = ShellStep::When;

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Words of which compound commands are made.
constexpr std::string_view kReserved[] = {"for",  "while", "until", "if", "then",
                                          "else", "elif",  "fi",    "do", "done",
                                          "case", "esac",  "{",     "}",  "function"};

class ScriptParser {
 public:
  explicit ScriptParser(std::string_view text) : text_(text) {}

  ShellScript parse() {
    while (script_.error.empty() && at_ < text_.size()) next();
    end_step(When::kAlways);
    if (script_.error.empty() && (dangling_ || awaits_)) fail("unexpected end of file");
    return std::move(script_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool take(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  void next() {
    const char c = peek();
    if (c == ' ' || c == '\t' || c == '\r') {
      end_word();
      ++at_;
    } else if (c == '\n' || c == ';') {
      ++at_;
      if (c == '\n' && dangling_ && !in_word_ && command_.words.empty()) return;
      end_step(When::kAlways);
    } else if (c == '#' && !in_word_) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (take("&&")) {
      end_step(When::kSuccess, true);
    } else if (take("||")) {
      end_step(When::kFailure, true);
    } else if (c == '|') {
      ++at_;
      end_command();
      if (pipeline_.empty()) return unexpected("|");
      dangling_ = true;
    } else if (c == '&' || c == '(' || c == ')' || c == '`') {
      unexpected(std::string(1, c));
    } else if (c == '<' || c == '>') {
      redirect(c);
    } else if ((c == '2' || c == '1') && !in_word_ && peek(1) == '>') {
      ++at_;
      redirect('>', c - '0');
    } else {
      word_part();
    }
  }

  void redirect(char c, int from = 1) {
    end_word();
    if (awaits_) return unexpected(std::string(1, c));
    ++at_;
    ShellRedirect redirect{.kind = ShellRedirect::Kind::kIn, .from = from, .target = {}};
    if (c == '>') redirect.kind = ShellRedirect::Kind::kOut;
    if (c == '<' && peek() == '<') return unexpected("<<");
    if (c == '>' && take(">")) redirect.kind = ShellRedirect::Kind::kAppend;
    if (c == '>' && take("&")) {
      const char to = peek();
      if (to != '1' && to != '2') return unexpected("&");
      ++at_;
      if (from == 2 && to == '1') redirect.kind = ShellRedirect::Kind::kErrToOut;
      // What is written to where it goes already stays there; `1>&2` goes to the errors.
      if (from == 1 && to == '2') {
        redirect.target = {{.kind = ShellPiece::Kind::kText, .text = "/dev/stderr"}};
      }
      if (from == 1 && to == '1') return;
      if (from == 2 && to == '2') return;
      command_.redirects.push_back(std::move(redirect));
      return;
    }
    command_.redirects.push_back(std::move(redirect));
    awaits_ = true;
  }

  // Adds what comes next to the word.
  void word_part() {
    const char c = peek();
    in_word_ = true;
    if (c == '\'') {
      const std::size_t end = text_.find('\'', at_ + 1);
      if (end == std::string_view::npos) return fail("unterminated quoted string");
      add(ShellPiece::Kind::kText, text_.substr(at_ + 1, end - at_ - 1), true);
      at_ = end + 1;
    } else if (c == '"') {
      ++at_;
      add(ShellPiece::Kind::kText, "", true);
      while (script_.error.empty() && peek() != '"') {
        if (at_ >= text_.size()) return fail("unterminated quoted string");
        quoted_part();
      }
      ++at_;
    } else if (c == '\\' && at_ + 1 < text_.size()) {
      if (peek(1) != '\n') add(ShellPiece::Kind::kText, text_.substr(at_ + 1, 1), true);
      at_ += 2;
    } else if (c == '$') {
      dollar(false);
    } else {
      add(ShellPiece::Kind::kText, text_.substr(at_, 1), false);
      ++at_;
    }
  }

  void quoted_part() {
    const char c = peek();
    if (c == '$') return dollar(true);
    if (c == '\\' && std::string_view("\"\\$`").find(peek(1)) != std::string_view::npos &&
        at_ + 1 < text_.size()) {
      ++at_;
    }
    add(ShellPiece::Kind::kText, text_.substr(at_, 1), true);
    ++at_;
  }

  void dollar(bool quoted) {
    ++at_;
    if (take("?")) return add(ShellPiece::Kind::kVariable, "?", quoted);
    if (take("$")) return add(ShellPiece::Kind::kVariable, "$", quoted);
    if (peek() == '(') {
      if (peek(1) == '(') return unexpected("((");
      const std::size_t end = closing();
      if (end == std::string_view::npos) return fail("unexpected end of file (expecting \")\")");
      add(ShellPiece::Kind::kCommand, text_.substr(at_ + 1, end - at_ - 1), quoted);
      at_ = end + 1;
      return;
    }
    if (peek() == '{') {
      const std::size_t end = text_.find('}', at_);
      if (end == std::string_view::npos) return fail("bad substitution");
      const std::string_view name = text_.substr(at_ + 1, end - at_ - 1);
      if (name.empty() || !std::all_of(name.begin(), name.end(), is_name)) {
        return fail("bad substitution");
      }
      add(ShellPiece::Kind::kVariable, name, quoted);
      at_ = end + 1;
      return;
    }
    std::size_t end = at_;
    while (end < text_.size() && is_name(text_[end])) ++end;
    if (end == at_) return add(ShellPiece::Kind::kText, "$", quoted);
    add(ShellPiece::Kind::kVariable, text_.substr(at_, end - at_), quoted);
    at_ = end;
  }

  // Returns where the parenthesis that begins here ends.
  std::size_t closing() const {
    int depth = 0;
    char quote = '\0';
    for (std::size_t i = at_; i < text_.size(); ++i) {
      const char c = text_[i];
      if (quote != '\0') {
        if (c == quote) quote = '\0';
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '(') {
        ++depth;
      } else if (c == ')' && --depth == 0) {
        return i;
      }
    }
    return std::string_view::npos;
  }

  void add(ShellPiece::Kind kind, std::string_view text, bool quoted) {
    in_word_ = true;
    if (kind == ShellPiece::Kind::kText && !word_.empty() && word_.back().kind == kind &&
        word_.back().quoted == quoted) {
      word_.back().text += text;
    } else {
      word_.push_back({kind, std::string(text), quoted});
    }
  }

  void end_word() {
    if (!in_word_) return;
    in_word_ = false;
    ShellWord word = std::exchange(word_, {});
    if (awaits_) {
      awaits_ = false;
      command_.redirects.back().target = std::move(word);
      return;
    }
    if (command_.words.empty() && word.size() == 1 && !word[0].quoted &&
        word[0].kind == ShellPiece::Kind::kText &&
        std::find(std::begin(kReserved), std::end(kReserved), word[0].text) !=
            std::end(kReserved)) {
      return unexpected(word[0].text);
    }
    command_.words.push_back(std::move(word));
  }

  void end_command() {
    end_word();
    if (awaits_) return fail("unexpected newline");
    if (command_.words.empty() && command_.redirects.empty()) return;
    pipeline_.push_back(std::exchange(command_, {}));
    dangling_ = false;
  }

  void end_step(When next, bool needed = false) {
    end_command();
    if (pipeline_.empty()) {
      if (needed) unexpected(next == When::kSuccess ? "&&" : "||");
      return;
    }
    if (dangling_) return unexpected(";");
    script_.steps.push_back({when_, std::exchange(pipeline_, {})});
    when_ = next;
    dangling_ = needed;
  }

  // Notes the first error, which ends parse(). The place stays: the caller may still pass what it
  // reads.
  void unexpected(std::string_view token) { fail("unexpected \"" + std::string(token) + "\""); }
  void fail(std::string_view why) {
    if (script_.error.empty()) script_.error = "syntax error: " + std::string(why);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  ShellScript script_;
  When when_ = When::kAlways;
  std::vector<ShellCommand> pipeline_;
  ShellCommand command_;
  ShellWord word_;
  bool in_word_ = false;
  bool awaits_ = false;    // the target of a redirection
  bool dangling_ = false;  // after `|`, `&&` and `||` a command must come
};

}  // namespace

ShellScript parse_script(std::string_view text) { return ScriptParser(text).parse(); }

}  // namespace tabernetes::server
