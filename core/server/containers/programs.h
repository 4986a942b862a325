// The programs of a simulated container: each takes words and an input, and gives an output.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/containers/container_world.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

// One run of a program.
struct ProgramRun {
  const std::vector<std::string>& words;  // not empty
  const std::string& in;
  ContainerWorld& world;
  std::string& folder;  // where the shell is
  Time now;
  std::string out = {}, err = {};
  int code = 0;

  std::string path_of(std::string_view word) const { return normal_path(word, folder); }
  void fail(int with, std::string_view text) {
    code = with;
    err.append(text).append("\n");
  }
  // Complains about a file as a C library does: `cat: can't open 'a': No such file or directory`.
  void fail_at(std::string_view doing, std::string_view file, std::string_view why);
};

struct Program {
  std::string_view name;
  void (*run)(ProgramRun& run);
  // Returns true if it reads its input to the end; null: never.
  bool (*reads)(const std::vector<std::string>& words) = nullptr;
};

// Returns the program of a name or path; nullptr: there is none.
const Program* find_program(std::string_view name);

// Return the words that are no options, without the program's name; and whether an option of one
// letter is among the others (`-l`, also in `-la`).
std::vector<std::string> operands(const std::vector<std::string>& words);
bool has_option(const std::vector<std::string>& words, char letter);

// The tables of files beside this one.
const std::vector<Program>& text_programs();
const std::vector<Program>& file_programs();

// Returns the text as numbers that programs take; nothing if it is none.
std::optional<std::int64_t> number_in(std::string_view text);

}  // namespace tabernetes::server
