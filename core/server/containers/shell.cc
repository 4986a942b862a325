#include "server/containers/shell.h"

#include <algorithm>

#include "base/go/duration.h"

namespace tabernetes::server {
namespace {

constexpr int kNotFound = 127;
constexpr std::size_t kMostSteps = 10'000;
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

}  // namespace tabernetes::server
