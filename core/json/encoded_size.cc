// Tested against the writer by tests/core/codec/json_writer_test.cc.
#include "json/encoded_size.h"

#include <cmath>
#include <string_view>
#include <vector>

#include "base/go/text.h"
#include "base/numbers/float_digits.h"
#include "base/text/utf8.h"

namespace tabernetes::json {
namespace {

std::size_t string_size(std::string_view text) {
  std::size_t size = 2;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (std::string_view("\"\\\b\f\n\r\t").find(c) != std::string_view::npos) {
      size += 2;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == '<' || c == '>' || c == '&') {
      size += 6;
    } else if (static_cast<unsigned char>(c) < 0x80) {
      ++size;
    } else {
      const Rune rune = decode_rune(text.substr(i));
      size += !rune.valid || rune.value == 0x2028 || rune.value == 0x2029 ? 6 : rune.size;
      i += rune.size - 1;
    }
  }
  return size;
}

std::size_t integer_size(std::int64_t integer) {
  std::size_t size = integer < 0 ? 2 : 1;
  while (integer >= 10 || integer <= -10) {
    integer /= 10;
    ++size;
  }
  return size;
}

}  // namespace

std::size_t encoded_size(const Value& value) {
  std::size_t size = 0;
  std::vector<Value> open = {value};
  while (!open.empty()) {
    const Value next = open.back();
    open.pop_back();
    switch (next.type()) {
      case Type::kNull:
        size += 4;
        break;
      case Type::kBool:
        size += next.as_bool() ? 4 : 5;
        break;
      case Type::kInt:
        size += integer_size(next.as_int());
        break;
      case Type::kDouble:
        size += std::isfinite(next.as_double()) ? go_json_float(next.as_double()).size()
                                                : next.double_text().size();
        break;
      case Type::kString:
        size += string_size(next.as_string());
        break;
      case Type::kArray:
        size += 2 + (next.size() > 0 ? next.size() - 1 : 0);
        for (const Value& item : next.items()) open.push_back(item);
        break;
      case Type::kObject:
        size += 2 + (next.size() > 0 ? next.size() - 1 : 0);
        for (const Member& member : next.members()) {
          size += string_size(member.key) + 1;
          open.push_back(member.value);
        }
        break;
    }
  }
  return size;
}

}  // namespace tabernetes::json
