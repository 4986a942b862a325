// What a public function says of a failure, as texts to compare.
#pragma once

#include <string>

#include "tabernetes/expected.h"

namespace tabernetes::tests {

// Empty: it has not failed.
template <typename T, typename F>
std::string message_of(const Expected<T, F>& made) {
  return made ? std::string() : made.fault().message;
}

// The Status as JSON; empty likewise.
template <typename T, typename F>
std::string status_of(const Expected<T, F>& made) {
  return made ? std::string() : made.fault().status;
}

}  // namespace tabernetes::tests
