// A pattern of a schema, compiled on its first use.
#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "base/algorithm/atomic_lazy.h"
#include "base/regex/pattern.h"

namespace tabernetes::schema {

class LazyPattern {
 public:
  explicit LazyPattern(std::string_view text) : text_(text) {}

  std::string_view text() const { return text_; }
  // Returns false also if the pattern is invalid; definitions with invalid patterns are rejected.
  bool matches(std::string_view value) const {
    const auto& pattern = compiled_.get_or_make([this] { return Pattern::compile(text_); });
    return pattern.has_value() && pattern->matches(value);
  }

 private:
  std::string_view text_;
  AtomicLazy<tl::expected<Pattern, std::string>> compiled_;
};

}  // namespace tabernetes::schema
