// Tested by tests/core/codec/yaml_reader_test.cc.
#include "codec/yaml_go_syntax.h"

#include <charconv>
#include <vector>

#include "base/go/text.h"
#include "base/numbers/float_digits.h"
#include "json/access.h"

namespace tabernetes::codec {
namespace {

using json::Value;

std::string scalar_syntax(const Value& value, bool is_inside) {
  if (value.is_string()) return go_quote(value.as_string());
  if (value.is_null()) return is_inside ? "interface {}(nil)" : "<nil>";
  return value.is_double() ? go_g_float(value.as_double()) : scalar_text(&value);
}

}  // namespace

std::string go_syntax(const Value& root) {
  struct Container {
    Value value;
    std::uint32_t next;
  };
  std::string out;
  std::vector<Container> open;
  const auto begin = [&out, &open](const Value& value) {
    if (value.is_array() || value.is_object()) {
      out += value.is_array() ? "[]interface {}{" : "map[interface {}]interface {}{";
      open.push_back({value, 0});
    } else {
      out += scalar_syntax(value, !open.empty());
    }
  };
  begin(root);
  while (!open.empty()) {
    const Value value = open.back().value;
    const std::uint32_t i = open.back().next++;
    if (i == value.size()) {
      out += '}';
      open.pop_back();
      continue;
    }
    if (i > 0) out += ", ";
    if (value.is_array()) {
      begin(value.items()[i]);
    } else {
      out += go_quote(value.members()[i].key) + ":";
      begin(value.members()[i].value);
    }
  }
  return out;
}

std::string go_hex(std::uint64_t number) {
  char digits[16];
  return "0x" + std::string(digits, std::to_chars(digits, digits + 16, number, 16).ptr);
}

}  // namespace tabernetes::codec
