// The flags of `tabernetes serve`, described in flags/serve.json for every host.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::host {

struct Flag {
  std::string name;   // without dashes
  std::string value;  // the name of its value in --help; a BOOL may stand without a value
  std::string help;
  std::string usual;      // the default value, as text; empty if there is none
  std::string otherwise;  // the default in words, for --help
  bool repeats = false;
  bool may_be_empty = false;         // an empty value means "none"
  std::string most;                  // of a number
  std::vector<std::string> choices;  // one of these; empty: anything
};

// Returns the flags in the order of --help.
const std::vector<Flag>& flag_table();

// Returns null if there is no flag of that name.
const Flag* find_flag(std::string_view name);

}  // namespace tabernetes::host
