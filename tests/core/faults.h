// The texts of faults, for comparisons.
#pragma once

#include <string>

#include "tabernetes/expected.h"

namespace tabernetes::tests {

// Returns the message of a fault, or an empty text for success.
template <typename T, typename F>
std::string message_of(const Expected<T, F>& made) {
  return made ? std::string() : made.fault().message;
}

// Returns the Status of a fault as JSON, or an empty text for success.
template <typename T, typename F>
std::string status_of(const Expected<T, F>& made) {
  return made ? std::string() : made.fault().status;
}

}  // namespace tabernetes::tests
