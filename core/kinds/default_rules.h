// Defaults that several kinds share, as rules (rules/rules.h).
#pragma once

#include "rules/rules.h"

namespace tabernetes::registry::validation {

extern const Defaults kSourceDefaults;  // the sources of a volume

// Defaults computed in C++.
extern const NamedFill kFills[];

}  // namespace tabernetes::registry::validation
