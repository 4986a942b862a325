// Values as texts: '%s'.format() and the texts of errors.
#pragma once

#include <string>

#include "cel/evaluator.h"
#include "cel/issues.h"

namespace tabernetes::cel {

// 'a %s of %d'.format([…]). REQUIRES: a string and a list.
Value format_text(const Call& call);

// What is wrong with a format() of literals, by the types of what is formatted.
void check_format(const Expr& call, Issues& issues);

// As Go's %v of cel-go's value.
std::string print_value(const Value& value);

}  // namespace tabernetes::cel
