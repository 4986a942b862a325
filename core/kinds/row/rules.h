// The language of rules (rules/), for the files of kinds.
#pragma once

#include "rules/field.h"
#include "rules/rules.h"

namespace tabernetes::registry::kinds {

using namespace validation;

}  // namespace tabernetes::registry::kinds
