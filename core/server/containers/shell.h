// What a command in a simulated container does: the answer of a rule, a small shell, or one of a
// few programs. Runs no code and reads no file of the host.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/containers/container_rules.h"
#include "server/containers/container_world.h"
#include "server/containers/programs.h"
#include "server/containers/shell_language.h"
#include "server/containers/tar.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

class Shell {
 public:
  // `answers`: what rules say, before everything else.
  Shell(ContainerWorld world, std::vector<CommandAnswer> answers, Time now)
      : world_(std::move(world)),
        answers_(std::move(answers)),
        now_(now),
        folder_(world_.working_folder) {}

  // Begins a command. `tty`: it writes back what is typed, and lines end with CR LF.
  void run(const std::vector<std::string>& command, bool tty);
  // Takes what is typed; the end of it.
  void type(std::string_view bytes);
  void end_input();
  // Lets time pass.
  void advance(Time now);

  // A command that somebody else answers: the address, its words, and what it reads.
  struct Asked {
    std::string url;
    std::vector<std::string> command;
    std::string in;
  };
  // Returns what is to be asked now, once. Nothing goes on until answer(), unless it is
  // interrupted.
  std::optional<Asked> take_asked() { return std::exchange(asked_, std::nullopt); }
  void answer(std::string out, std::string err, int code);

  // Returns when advance() goes on; nullopt: only input can.
  std::optional<Time> waits_until() const { return sleeps_until_; }
  // Set once the command has ended.
  std::optional<int> exit_code() const { return exit_code_; }
  // The program that cannot be started, because there is none of that name; empty: it was started.
  const std::string& missing_program() const { return missing_; }
  std::string take_out() { return std::exchange(out_, {}); }
  std::string take_err() { return std::exchange(err_, {}); }

 private:
  using Words = std::vector<std::string>;
  enum class Reads {
    kNothing,
    kLines,    // an interactive shell
    kAll,      // a program, up to the end of the input
    kCopies,   // `cat`: what comes, when it comes
    kForever,  // `tail -f`: ends only by a signal
  };
  struct Result {
    std::string out, err;
    int code = 0;
  };

  void run_script(std::string_view text);
  bool insert_steps(std::string_view text);
  void go_on();
  void run_stage();
  void run_words(const ShellCommand& command, const Words& words);
  bool run_builtin(const Words& words);
  bool run_answer(const ShellCommand& command, const Words& words);
  void ask(const CommandAnswer& answer, const Words& words);
  const CommandAnswer* answer_to(const Words& words) const;
  // Returns true while time or an answer must come first.
  bool waits() const { return sleeps_until_.has_value() || asks_; }
  void run_program(const Program& program, const ShellCommand& command, const Words& words);
  void run_shell(const Words& words);
  void sleep(const Words& words);
  void change_folder(const Words& words);
  void export_variables(const Words& words);
  std::optional<std::string> given_input(const ShellCommand& command);
  void end_stage(Result result);
  bool redirect(const ShellCommand& command, Result& result);
  bool awaits_input(const Words& words);
  void interrupt();
  void type_key(char key);
  void type_escape(char key);
  void erase_character();
  bool line_is_empty() const;
  void recall(std::size_t at);
  void clear_screen();

  Words expand(const std::vector<ShellWord>& words);
  void expand_word(const ShellWord& word, Words& out);
  std::string expand_text(const ShellWord& word);
  std::string join_pieces(const ShellWord& word);
  std::string substitute(std::string_view script);
  Result result_of(std::string_view script, std::string input);
  void run_inner(std::string_view script, std::string input);
  void expand_files(const std::string& pattern, Words& out) const;
  std::string variable(std::string_view name) const;
  void set_variable(std::string_view name, std::string value);

  void write(std::string_view text);
  void complain(std::string_view text);
  void take_input();
  void prompt();
  void finish();

  ContainerWorld world_;
  std::vector<CommandAnswer> answers_;
  Time now_;
  std::string folder_;
  bool tty_ = false, interactive_ = false, leaves_ = false;
  int depth_ = 0;      // of shells inside shells
  std::string given_;  // what such a shell reads

  std::vector<ShellStep> steps_;  // left to do
  std::size_t next_ = 0;
  ShellStep step_;         // that is done
  std::size_t stage_ = 0;  // of its pipeline
  std::string piped_;      // what the stage before wrote
  Result pending_;         // of a stage that sleeps
  int status_ = 0;

  Reads reads_ = Reads::kNothing;
  Words reader_;  // the words of the program that reads
  TarWatcher tar_;
  std::string typed_;
  std::string escape_;        // the beginning of an escape sequence
  Words history_;             // lines of an interactive shell
  std::size_t recalled_ = 0;  // which of them is shown; their number: none
  bool input_ended_ = false;
  std::optional<Time> sleeps_until_;
  bool asks_ = false;  // waits for an answer
  std::optional<Asked> asked_;
  std::optional<int> exit_code_;
  std::string missing_;
  std::string out_, err_;
};

}  // namespace tabernetes::server
