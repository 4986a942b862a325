// The query of a request target. Rules: spec/rest.md 9.1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/api/result.h"

namespace tabernetes::server {

// Decodes %XX (and in queries `+`); malformed escapes are kept.
enum class PlusSign { kLiteral, kSpace };
std::string percent_decode(std::string_view text, PlusSign plus);

class Query {
 public:
  static Query parse(std::string_view text);

  bool has(std::string_view name) const;
  // Returns the first value; empty if absent.
  std::string_view get(std::string_view name) const;
  // All names and values, in the order of the request.
  const std::vector<std::pair<std::string, std::string>>& values() const { return values_; }
  std::vector<std::string> all(std::string_view name) const;
  // Returns nullopt if absent. `false` and `0`, in any case, are false; everything else is true.
  std::optional<bool> boolean(std::string_view name) const;
  // Returns nullopt if absent. Errors: 400 with strconv's message.
  Result<std::optional<std::int64_t>> integer(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace tabernetes::server
