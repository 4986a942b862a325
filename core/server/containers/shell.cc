#include "server/containers/shell.h"

#include <algorithm>

#include "base/go/duration.h"

namespace tabernetes::server {
namespace {

constexpr int kNotFound = 127;
constexpr int kInterrupted = 130;
constexpr std::size_t kMostTyped = std::size_t{64} << 20;
constexpr std::size_t kMostSteps = 10'000;
constexpr int kMostDepth = 8;
constexpr std::size_t kMostOutput = std::size_t{64} << 20;  // of one program

bool is_shell(std::string_view program) {
  program.remove_prefix(program.rfind('/') + 1);
  return program == "sh" || program == "bash" || program == "ash" || program == "dash";
}

bool is_assignment(const ShellWord& pieces) {
  if (pieces.empty() || pieces[0].quoted || pieces[0].kind != ShellPiece::Kind::kText) return false;
  const std::string_view word = pieces[0].text;
  const std::size_t equals = word.find('=');
  if (equals == 0 || equals == std::string_view::npos) return false;
  if (word[0] >= '0' && word[0] <= '9') return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// A word as the parser gives it, of a text that is not expanded.
ShellWord plain_word(const std::string& text) {
  return {{.kind = ShellPiece::Kind::kText, .text = text, .quoted = true}};
}

}  // namespace

void Shell::run(const Words& command, bool tty) {
  tty_ = tty;
  ShellCommand only;
  for (const std::string& word : command) only.words.push_back(plain_word(word));
  const bool answered = std::any_of(answers_.begin(), answers_.end(),
                                    [&](const auto& answer) { return answer.fits(command); });
  const std::string& name = command.front();
  if (!answered && !is_shell(name) && name != "sleep" && find_program(name) == nullptr) {
    missing_ = name;
    exit_code_ = kNotFound;
    return;
  }
  steps_ = {{.when = ShellStep::When::kAlways, .pipeline = {std::move(only)}}};
  go_on();
  take_input();
}

// A terminal shows what is typed, and gives it on by lines.
void Shell::type_key(char key) {
  if (key == '\r') key = '\n';
  if (key == '\x1b' || !escape_.empty()) return type_escape(key);
  if (key == '\x03') return interrupt();
  if (key == '\x0c') return clear_screen();
  if (key == '\x15') {  // Ctrl-U: the whole line
    while (!line_is_empty_) erase_character();
    return;
  }
  if (key == '\x04') {
    if (line_is_empty_) {
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
  line_is_empty_ = key == '\n';
}

void Shell::erase_character() {
  if (line_is_empty_) return;
  const auto goes_on = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; };
  while (goes_on(typed_.back())) typed_.pop_back();
  typed_.pop_back();
  write("\b \b");
  line_is_empty_ = typed_.empty() || typed_.back() == '\n';
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
  while (!line_is_empty_) erase_character();
  recalled_ = at;
  if (at == history_.size()) return;
  write(history_[at]);
  typed_ += history_[at];
  line_is_empty_ = typed_.empty();
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
    if (line_is_empty_) take_input();
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
  line_is_empty_ = true;
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

void Shell::write(std::string_view text) {
  for (const char c : text) {
    if (c == '\n' && tty_) out_ += '\r';
    out_ += c;
  }
}

// A terminal shows errors where it shows the rest.
void Shell::complain(std::string_view text) {
  if (tty_) return write(text);
  err_ += text;
}

bool Shell::insert_steps(std::string_view text) {
  ShellScript script = parse_script(text);
  if (!script.error.empty()) {
    complain("sh: " + script.error + "\n");
    status_ = 2;
    return false;
  }
  steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(next_));
  next_ = 0;
  if (steps_.size() + script.steps.size() > kMostSteps) return false;
  steps_.insert(steps_.begin(), std::make_move_iterator(script.steps.begin()),
                std::make_move_iterator(script.steps.end()));
  return true;
}

void Shell::run_script(std::string_view text) {
  if (insert_steps(text)) go_on();
}

void Shell::go_on() {
  const auto rests = [this] {
    return waits() || leaves_ || reads_ == Reads::kCopies || reads_ == Reads::kAll ||
           reads_ == Reads::kForever;
  };
  while (!rests()) {
    if (stage_ < step_.pipeline.size()) {
      run_stage();
      continue;
    }
    if (next_ >= steps_.size()) return;
    ShellStep step = std::move(steps_[next_++]);
    if (step.when == ShellStep::When::kSuccess && status_ != 0) continue;
    if (step.when == ShellStep::When::kFailure && status_ == 0) continue;
    step_ = std::move(step);
    stage_ = 0;
    piped_.clear();
  }
}

// ---- one command

void Shell::run_stage() {
  ShellCommand command = step_.pipeline[stage_];
  while (!command.words.empty() && is_assignment(command.words.front())) {
    const std::string text = join_pieces(command.words.front());
    const std::size_t equals = text.find('=');
    set_variable(text.substr(0, equals), text.substr(equals + 1));
    command.words.erase(command.words.begin());
  }
  const Words words = expand(command.words);
  if (words.empty()) return end_stage({});
  run_words(command, words);
}

void Shell::run_words(const ShellCommand& command, const Words& words) {
  if (run_answer(command, words)) return;
  if (is_shell(words[0])) return run_shell(words);
  if (run_builtin(words)) return;
  if (words[0] == "sleep" || words[0].ends_with("/sleep")) return sleep(words);
  const Program* const program = find_program(words[0]);
  if (program == nullptr) {
    return end_stage({"", "sh: " + words[0] + ": not found\n", kNotFound});
  }
  if (words[0] == "tail" && has_option(words, 'f')) {
    ProgramRun run{words, piped_, world_, folder_, now_};
    program->run(run);
    write(run.out);
    complain(run.err);
    reads_ = Reads::kForever;
    return;
  }
  if (program->reads != nullptr && program->reads(words)) {
    const std::optional<std::string> given = given_input(command);
    if (!given) {
      const bool copies = words[0] == "cat" && words.size() == 1 && command.redirects.empty() &&
                          step_.pipeline.size() == 1;
      reads_ = copies ? Reads::kCopies : Reads::kAll;
      reader_ = words;
      tar_ = {};
      return;
    }
    piped_ = *given;
  }
  run_program(*program, command, words);
}

// Returns what a command reads if that is not typed; nullopt: it is.
std::optional<std::string> Shell::given_input(const ShellCommand& command) {
  for (const ShellRedirect& redirect : command.redirects) {
    if (redirect.kind != ShellRedirect::Kind::kIn) continue;
    const std::string path = normal_path(expand_text(redirect.target), folder_);
    if (path == "/dev/stdin") return std::nullopt;
    const std::optional<File> file = world_.files.find(path);
    return file ? std::string(file->text()) : std::string();
  }
  if (stage_ > 0) return piped_;
  if (depth_ > 0) return std::exchange(given_, {});
  return std::nullopt;
}

void Shell::run_program(const Program& program, const ShellCommand& command, const Words& words) {
  for (const ShellRedirect& redirect : command.redirects) {
    if (redirect.kind != ShellRedirect::Kind::kIn) continue;
    const std::string name = expand_text(redirect.target);
    if (name == "/dev/null" || name == "/dev/stdin" ||
        world_.files.find(normal_path(name, folder_))) {
      continue;
    }
    return end_stage({"", "sh: can't open " + name + ": no such file\n", 1});
  }
  const std::string in = std::exchange(piped_, {});
  ProgramRun run{words, in, world_, folder_, now_};
  program.run(run);
  if (run.out.size() > kMostOutput) run.out.resize(kMostOutput);
  end_stage({std::move(run.out), std::move(run.err), run.code});
}

const CommandAnswer* Shell::answer_to(const Words& words) const {
  for (const CommandAnswer& answer : answers_) {
    if (answer.fits(words)) return &answer;
  }
  return nullptr;
}

// Returns true if a rule answers the command.
bool Shell::run_answer(const ShellCommand& command, const Words& words) {
  const CommandAnswer* const answer = answer_to(words);
  if (answer == nullptr) return false;
  if (!answer->url.empty()) {
    const std::optional<std::string> given = given_input(command);
    if (!given && answer->stdin_ && !input_ended_) {
      reads_ = Reads::kAll;
      reader_ = words;
      tar_ = {};
      return true;
    }
    piped_ = given ? *given : answer->stdin_ ? std::exchange(typed_, {}) : std::string();
    ask(*answer, words);
    return true;
  }
  Result result{answer->out, answer->err, answer->code};
  if (answer->after == Duration{}) {
    end_stage(std::move(result));
  } else {
    pending_ = std::move(result);
    sleeps_until_ = now_ + answer->after;
  }
  return true;
}

// A shell inside this one waits for nobody.
void Shell::ask(const CommandAnswer& answer, const Words& words) {
  if (depth_ > 0) return end_stage({"", "sh: " + words[0] + ": cannot be asked here\n", 126});
  asked_ = Asked{answer.url, words, std::exchange(piped_, {})};
  asks_ = true;
}

// What only a shell can do, as it changes the shell.
bool Shell::run_builtin(const Words& words) {
  if (words[0] == "cd") {
    change_folder(words);
  } else if (words[0] == "export") {
    export_variables(words);
  } else if (words[0] == "unset") {
    for (std::size_t i = 1; i < words.size(); ++i) {
      std::erase_if(world_.environment, [&](const auto& entry) { return entry.first == words[i]; });
    }
    end_stage({});
  } else if (words[0] == "exit") {
    const auto code = number_in(words.size() > 1 ? words[1] : std::to_string(status_));
    end_stage({"", code ? "" : "sh: Illegal number: " + words[1] + "\n",
               code ? static_cast<int>(*code & 255) : 2});
    leaves_ = true;
  } else if (words[0] == "exec" && words.size() > 1) {
    const ShellCommand command = step_.pipeline[stage_];
    steps_.clear();
    next_ = 0;
    run_words(command, Words(words.begin() + 1, words.end()));
    if (!waits() && reads_ == Reads::kLines) leaves_ = true;
  } else {
    return false;
  }
  return true;
}

void Shell::run_shell(const Words& words) {
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (!words[i].starts_with('-') || words[i].find('c') == std::string::npos) continue;
    const std::string& script = words[i + 1];
    if (step_.pipeline.size() == 1 && step_.pipeline[0].redirects.empty()) {
      stage_ = step_.pipeline.size();
      insert_steps(script);
      return;
    }
    return run_inner(script, std::exchange(piped_, {}));
  }
  if (stage_ > 0) return run_inner(std::exchange(piped_, {}), {});
  stage_ = step_.pipeline.size();
  interactive_ = true;
  reads_ = Reads::kLines;
  prompt();
}

void Shell::sleep(const Words& words) {
  if (words.size() < 2) return end_stage({"", "sleep: missing operand\n", 1});
  const bool plain = words[1].find_first_not_of("0123456789.") == std::string::npos;
  const GoDuration time = go_parse_duration(plain ? words[1] + "s" : words[1]);
  if (words[1] == "infinity" || words[1] == "inf") {
    reads_ = Reads::kForever;
  } else if (!time.error.empty()) {
    end_stage({"", "sleep: invalid number '" + words[1] + "'\n", 1});
  } else if (Duration{} < time.value) {
    sleeps_until_ = now_ + time.value;
  } else {
    end_stage({});
  }
}

void Shell::change_folder(const Words& words) {
  const std::string wanted = words.size() > 1 ? words[1] : variable("HOME");
  const std::string path = normal_path(wanted, folder_);
  if (!world_.files.is_folder(path)) {
    return end_stage({"", "sh: cd: can't cd to " + wanted + ": No such file or directory\n", 2});
  }
  folder_ = path;
  end_stage({});
}

void Shell::export_variables(const Words& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    if (equals != std::string::npos) {
      set_variable(words[i].substr(0, equals), words[i].substr(equals + 1));
    }
  }
  end_stage({});
}

// Puts the outputs where they go.
void Shell::end_stage(Result result) {
  if (stage_ >= step_.pipeline.size()) return;
  const ShellCommand command = step_.pipeline[stage_++];
  status_ = result.code;
  if (!redirect(command, result)) status_ = 1;
  complain(result.err);
  if (stage_ < step_.pipeline.size()) {
    piped_ = std::move(result.out);
  } else {
    write(result.out);
  }
}

// Writes to files what is redirected to them, and leaves the rest. Returns false if it cannot.
bool Shell::redirect(const ShellCommand& command, Result& result) {
  for (const ShellRedirect& redirect : command.redirects) {
    if (redirect.kind == ShellRedirect::Kind::kIn) continue;
    if (redirect.kind == ShellRedirect::Kind::kErrToOut) {
      result.out += std::exchange(result.err, {});
      continue;
    }
    std::string& from = redirect.from == 2 ? result.err : result.out;
    const std::string name = expand_text(redirect.target);
    const std::string path = normal_path(name, folder_);
    if (path == "/dev/stdout") continue;
    std::string bytes = std::exchange(from, {});
    if (path == "/dev/null") continue;
    if (path == "/dev/stderr") {
      result.err += bytes;
      continue;
    }
    const std::optional<File> before = world_.files.find(path);
    if (redirect.kind == ShellRedirect::Kind::kAppend && before) {
      bytes.insert(0, before->text());
    }
    const std::string_view why = world_.files.put(path, plain_file(std::move(bytes), now_));
    if (why.empty()) continue;
    result.err += "sh: can't create " + name + ": " + std::string(why) + "\n";
    return false;
  }
  return true;
}

// ---- expansion

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
