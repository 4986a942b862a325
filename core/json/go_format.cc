#include "json/go_format.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/numbers/float_digits.h"
#include "json/access.h"

namespace tabernetes::json {
namespace {

// A container being printed, with the values still to print.
struct OpenMap {
  std::vector<Member> rest;  // in reverse order; array items have no key
  bool is_object = false;
  bool first = true;
};

OpenMap open_container(const Value& value) {
  OpenMap open;
  open.is_object = value.is_object();
  if (open.is_object) {
    open.rest.assign(value.members().begin(), value.members().end());
    sort_stable(open.rest, [](const Member& a, const Member& b) { return a.key > b.key; });
  } else {
    for (const Value& item : value.items()) open.rest.push_back({{}, item});
    std::reverse(open.rest.begin(), open.rest.end());
  }
  return open;
}

std::string scalar(const Value& value) {
  if (value.is_null()) return "<nil>";
  if (value.is_double() && std::isfinite(value.as_double())) return go_g_float(value.as_double());
  return scalar_text(&value);
}

}  // namespace

std::string go_format(const Value& value) {
  std::string text;
  std::vector<OpenMap> stack;
  const auto print = [&](const Value& each) {
    if (each.is_object() || each.is_array()) {
      text += each.is_object() ? "map[" : "[";
      stack.push_back(open_container(each));
    } else {
      text += scalar(each);
    }
  };
  print(value);
  while (!stack.empty()) {
    OpenMap& open = stack.back();
    if (open.rest.empty()) {
      text += ']';
      stack.pop_back();
      continue;
    }
    const Member member = open.rest.back();
    open.rest.pop_back();
    if (!std::exchange(open.first, false)) text += ' ';
    if (open.is_object) text.append(member.key).append(":");
    print(member.value);
  }
  return text;
}

}  // namespace tabernetes::json
