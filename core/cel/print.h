// Values as texts: '%s'.format() and the texts of errors.
#pragma once

#include <string>

#include "cel/evaluator.h"

namespace tabernetes::cel {

// 'a %s of %d'.format([…]). REQUIRES: a string and a list.
Value format_text(const Call& call);

// As Go's %v of cel-go's value.
std::string print_value(const Value& value);

}  // namespace tabernetes::cel
