// The JSONPath dialect of printer columns: `.a.b`, `['a']`, `.a\.b`, `[0]`, `[-1]`, `[0:2]`, `[*]`,
// `.*`, `..a`, `[0,1]`, `[?(@.type=="Ready")].status`, `[?(@.a)]`. Source: upstream 1.36 client-go
// util/jsonpath.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace tabernetes::registry::custom {

class JsonPath {
 public:
  // Returns nullopt for an invalid path.
  static std::optional<JsonPath> parse(std::string_view text);

  // Returns the first value at the path, with missing members allowed; null if there is none or the
  // path cannot be followed.
  const json::Value* find(const json::Value& object) const;

 private:
  struct Step;
  struct Bound {
    bool known = false, derived = false;
    std::int64_t value = 0;
  };
  struct Literal;
  class Parser;
  class Walk;
  using Steps = std::vector<Step>;

  std::shared_ptr<const Steps> steps_;
};

}  // namespace tabernetes::registry::custom
