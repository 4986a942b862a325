#include "random_json.h"

#include <array>
#include <string_view>

namespace tabernetes::property {

using json::Arena;
using json::Value;

namespace {

constexpr std::array<std::string_view, 7> kNames = {"a", "b", "c", "~1/", "", "$patch", "é"};

Value scalar(Nulls nulls, Entropy& entropy, Arena& arena) {
  switch (entropy.below(nulls == Nulls::kSome ? 6 : 5)) {
    case 0:
      return Value::boolean(entropy.below(2) == 0);
    case 1:
      return Value::integer(static_cast<std::int64_t>(entropy.below(3)));
    case 2:
      return Value::number(arena, 0.5 + static_cast<double>(entropy.below(2)));
    case 3:
      return Value::string("");
    case 4:
      return Value::string(kNames[entropy.below(kNames.size())]);
    default:
      return Value::null();
  }
}

}  // namespace

Value random_json_object(int depth, Nulls nulls, Entropy& entropy, Arena& arena) {
  Value object = Value::object(arena);
  for (const std::string_view name : kNames) {
    if (entropy.below(3) == 0) {
      object.append(arena, name, random_json(depth - 1, nulls, entropy, arena));
    }
  }
  return object;
}

Value random_json(int depth, Nulls nulls, Entropy& entropy, Arena& arena) {
  if (depth <= 0 || entropy.below(2) == 0) return scalar(nulls, entropy, arena);
  if (entropy.below(2) == 0) return random_json_object(depth, nulls, entropy, arena);
  Value list = Value::array(arena);
  for (std::uint64_t count = entropy.below(4); count > 0; --count) {
    list.push_back(arena, random_json(depth - 1, nulls, entropy, arena));
  }
  return list;
}

}  // namespace tabernetes::property
