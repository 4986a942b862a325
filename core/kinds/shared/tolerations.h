// Rules of tolerations.
#pragma once

#include "kinds/row/rules.h"

namespace tabernetes::registry::kinds {

extern const Rules kTolerationsRules;  // of a list

}  // namespace tabernetes::registry::kinds
