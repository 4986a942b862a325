// Completion of the command line in shells.
//
//   tabernetes completion SHELL     prints a script for bash, fish or zsh (flags/completion/)
//   tabernetes __complete WORDS…    what the scripts call; prints how the last word may go on
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::host {

// Returns the script for a shell; nullopt if there is none.
std::optional<std::string_view> completion_script(std::string_view shell);

// Returns what the last of `words` may become, the words before it being what they are. `words`
// does not have the program. Returns nothing where a file is expected.
std::vector<std::string> completions(const std::vector<std::string>& words,
                                     const std::vector<std::string>& commands);

}  // namespace tabernetes::host
