// Formats a list of strings like Go's %q of a slice: `["a" "b"]`.
#pragma once

#include <string>
#include <vector>

#include "base/go/text.h"

namespace tabernetes::auth {

inline std::string quoted_texts(const std::vector<std::string>& texts) {
  std::string text = "[";
  for (const std::string& one : texts) text += (text.size() > 1 ? " " : "") + go_quote(one);
  return text + "]";
}

}  // namespace tabernetes::auth
