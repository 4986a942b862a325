// Parses the values of the flags of `tabernetes serve`.
#pragma once

#include <string>

#include "flag_table.h"
#include "flags.h"

namespace tabernetes::host {

// Returns the defaults.
ServeFlags usual_flags();

// Parses one value of `flag` into `flags`. The `first` value replaces the default, further ones are
// added. Returns the error, or an empty string.
std::string read_flag(const Flag& flag, const std::string& value, bool first, ServeFlags& flags);

// Returns the error of flags that do not go together, or an empty string.
std::string check_together(const ServeFlags& flags);

}  // namespace tabernetes::host
