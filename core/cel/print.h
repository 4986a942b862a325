// Printing of values, for '%s'.format() and error messages.
#pragma once

#include <string>

#include "cel/evaluator.h"
#include "cel/issues.h"

namespace tabernetes::cel {

// Implements 'a %s of %d'.format([...]). REQUIRES: a string and a list.
Value format_text(const Call& call);

// Reports issues of a format() of literals, using the types of the arguments.
void check_format(const Expr& call, Issues& issues);

// Prints a value like Go's %v of cel-go's value.
std::string print_value(const Value& value);

}  // namespace tabernetes::cel
