// Compares two trees in parallel with an explicit stack: input may nest deeply.
#include "json/equality.h"

#include <vector>

namespace tabernetes::json {
namespace {

bool equal_numbers(const Value& a, const Value& b) {
  if (a.is_int() && b.is_int()) return a.as_int() == b.as_int();
  if (a.is_double() && b.is_double()) return a.as_double() == b.as_double();
  const std::int64_t integer = a.is_int() ? a.as_int() : b.as_int();
  const double real = a.is_int() ? b.as_double() : a.as_double();
  // The integer is not converted to a double, which would round it. 2^63 itself is not an int64.
  return real >= -0x1p63 && real < 0x1p63 && static_cast<std::int64_t>(real) == integer &&
         static_cast<double>(static_cast<std::int64_t>(real)) == real;
}

struct Pair {
  const Value* a;
  const Value* b;
};

}  // namespace

bool shares_content(const Value& a, const Value& b) {
  if (a.type() != b.type() || a.size() != b.size()) return false;
  if (a.is_object()) return a.members().begin() == b.members().begin();
  return a.is_array() && a.items().begin() == b.items().begin();
}

bool deep_equal(const Value& a, const Value& b) {
  std::vector<Pair> open;
  // Compares scalars and sizes at once and defers the contents of containers.
  const auto differ = [&open](const Value& x, const Value& y) {
    if (x.is_number() && y.is_number()) return !equal_numbers(x, y);
    if (x.type() != y.type() || x.size() != y.size()) return true;
    if (x.is_bool()) return x.as_bool() != y.as_bool();
    if (x.is_string()) return x.as_string() != y.as_string();
    if (x.size() > 0 && !shares_content(x, y)) open.push_back({&x, &y});
    return false;
  };

  if (differ(a, b)) return false;
  while (!open.empty()) {
    const Pair pair = open.back();
    open.pop_back();
    if (pair.a->is_array()) {
      const Range<Value> items = pair.a->items();
      for (std::uint32_t i = 0; i < items.size(); ++i) {
        if (differ(items[i], pair.b->items()[i])) return false;
      }
    } else {
      for (const Member& member : pair.a->members()) {
        const Value* other = pair.b->find(member.key);
        if (other == nullptr || differ(member.value, *other)) return false;
      }
    }
  }
  return true;
}

bool deep_equal(const Value* a, const Value* b) {
  return a == nullptr || b == nullptr ? a == b : deep_equal(*a, *b);
}

bool same_member(const Value& a, const Value& b, std::string_view key) {
  return deep_equal(a.find(key), b.find(key));
}

}  // namespace tabernetes::json
