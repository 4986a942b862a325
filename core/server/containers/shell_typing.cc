// What a shell is typed: the keys of a terminal, and input that programs and the shell read.
#include <utility>

#include "server/containers/shell.h"

namespace tabernetes::server {
namespace {

constexpr int kInterrupted = 130;
constexpr std::size_t kMostTyped = std::size_t{64} << 20;

}  // namespace

bool Shell::line_is_empty() const { return typed_.empty() || typed_.back() == '\n'; }

// A terminal shows what is typed, and gives it on by lines.
void Shell::type_key(char key) {
  if (key == '\r') key = '\n';
  if (key == '\x1b' || !escape_.empty()) return type_escape(key);
  if (key == '\x03') return interrupt();
  if (key == '\x0c') return clear_screen();
  if (key == '\x15') {  // Ctrl-U: the whole line
    while (!line_is_empty()) erase_character();
    return;
  }
  if (key == '\x04') {
    if (line_is_empty()) {
      input_ended_ = true;
      take_input();
      input_ended_ = exit_code_.has_value();
    }
    return;
  }
  if (key == '\x7f' || key == '\b') return erase_character();
  if (static_cast<unsigned char>(key) < 0x20 && key != '\n' && key != '\t') return;
  write(std::string_view(&key, 1));
  typed_ += key;
}

// Takes back the last character of the line: in bytes that are not UTF-8, the last bytes that could
// be one.
void Shell::erase_character() {
  if (line_is_empty()) return;
  const std::size_t line = typed_.rfind('\n') + 1;
  std::size_t at = typed_.size() - 1;
  while (at > line && (static_cast<unsigned char>(typed_[at]) & 0xc0) == 0x80) --at;
  typed_.resize(at);
  write("\b \b");
}

// Arrows bring back lines of an interactive shell; other sequences are left out.
void Shell::type_escape(char key) {
  constexpr std::size_t kMostEscape = 16;
  escape_ += key;
  const bool whole = escape_.size() == 2 ? key != '[' && key != 'O'
                                         : escape_.size() > 2 && key >= '@' && key <= '~';
  if (!whole && escape_.size() < kMostEscape) return;
  const std::string sequence = std::exchange(escape_, {});
  if (!interactive_ || reads_ != Reads::kLines || waits()) return;
  const char arrow = sequence.back();
  if (arrow == 'A' && recalled_ > 0) recall(recalled_ - 1);
  if (arrow == 'B' && recalled_ < history_.size()) recall(recalled_ + 1);
}

void Shell::recall(std::size_t at) {
  while (!line_is_empty()) erase_character();
  recalled_ = at;
  if (at == history_.size()) return;
  write(history_[at]);
  typed_ += history_[at];
}

// Ctrl-L.
void Shell::clear_screen() {
  if (!interactive_ || reads_ != Reads::kLines || waits()) return;
  out_ += "\x1b[H\x1b[2J";
  prompt();
  write(typed_);
}

void Shell::type(std::string_view bytes) {
  for (const char key : tty_ ? bytes : std::string_view()) {
    if (exit_code_) return;
    type_key(key);
    if (line_is_empty()) take_input();
  }
  if (!tty_) typed_ += bytes;
  if (typed_.size() > kMostTyped) {
    complain("sh: too much input\n");
    exit_code_ = 1;
  }
  take_input();
}

void Shell::end_input() {
  input_ended_ = true;
  take_input();
}

// Ctrl-C: ends what runs; a shell that is typed to goes on.
void Shell::interrupt() {
  write("^C\n");
  typed_.clear();
  sleeps_until_.reset();
  asks_ = false;
  asked_.reset();
  pending_ = {};
  steps_.clear();
  step_ = {};
  next_ = stage_ = 0;
  status_ = kInterrupted;
  reads_ = interactive_ ? Reads::kLines : Reads::kNothing;
  if (interactive_) {
    prompt();
  } else {
    finish();
  }
}

void Shell::advance(Time now) {
  now_ = now;
  if (!sleeps_until_ || *sleeps_until_ > now) return;
  sleeps_until_.reset();
  end_stage(std::exchange(pending_, {}));
  go_on();
  if (reads_ == Reads::kLines && !waits()) prompt();
  take_input();
}

void Shell::answer(std::string out, std::string err, int code) {
  if (!std::exchange(asks_, false)) return;  // it was interrupted
  end_stage({std::move(out), std::move(err), code});
  go_on();
  if (reads_ == Reads::kLines && !waits()) prompt();
  take_input();
}

// Returns true if the program that reads needs more than was typed.
bool Shell::awaits_input(const Words& words) {
  if (input_ended_) return false;
  return words.empty() || words[0] != "tar" || !tar_.complete(typed_);
}

// Does what was typed as far as possible, and ends if nothing more can come.
void Shell::take_input() {
  while (!exit_code_ && !waits()) {
    if (reads_ == Reads::kCopies) {
      const std::size_t whole = tty_ && !input_ended_ ? typed_.rfind('\n') + 1 : typed_.size();
      write(typed_.substr(0, whole));
      typed_.erase(0, whole);
      if (!input_ended_) return;
      reads_ = interactive_ ? Reads::kLines : Reads::kNothing;
      end_stage({});
    } else if (reads_ == Reads::kAll) {
      if (awaits_input(reader_)) return;
      reads_ = interactive_ ? Reads::kLines : Reads::kNothing;
      piped_ = std::exchange(typed_, {});
      if (const CommandAnswer* const answer = answer_to(reader_)) {
        ask(*answer, Words(reader_));
      } else {
        run_program(*find_program(reader_[0]), step_.pipeline[stage_], Words(reader_));
      }
    } else if (reads_ == Reads::kLines && next_ >= steps_.size() &&
               stage_ >= step_.pipeline.size()) {
      std::size_t end = typed_.find('\n');
      if (end == std::string::npos && input_ended_ && !typed_.empty()) end = typed_.size();
      if (end == std::string::npos) break;
      const std::string line = typed_.substr(0, end);
      typed_.erase(0, end + 1);
      if (tty_ && !line.empty()) history_.push_back(line);
      recalled_ = history_.size();
      run_script(line);
      if (!exit_code_ && !waits() && reads_ == Reads::kLines && !leaves_) prompt();
      if (leaves_) break;
      continue;
    } else {
      break;
    }
    go_on();
    if (reads_ == Reads::kLines && !waits() && !leaves_) prompt();
    // A terminal's end of input is for one program.
    if (tty_ && interactive_) input_ended_ = false;
  }
  finish();
}

void Shell::prompt() {
  if (tty_ && !leaves_) out_ += (folder_.empty() ? "/" : folder_) + " # ";
}

// Ends the command if nothing is left to do or to read.
void Shell::finish() {
  if (exit_code_ || waits()) return;
  if (!leaves_) {
    if (next_ < steps_.size() || stage_ < step_.pipeline.size()) return;
    if (reads_ == Reads::kForever || reads_ == Reads::kCopies || reads_ == Reads::kAll) return;
    if (reads_ == Reads::kLines && !(input_ended_ && typed_.empty())) return;
  }
  exit_code_ = status_;
}

}  // namespace tabernetes::server
