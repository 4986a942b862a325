#include "schema/openapi/json_text.h"

namespace tabernetes::schema::openapi {
namespace {

// What a character is written as beside a backslash; 0: as it is.
char short_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return 0;
  }
}

bool is_markup(char c) { return c == '<' || c == '>' || c == '&'; }

}  // namespace

void JsonText::description(std::string_view text, Dialect dialect) {
  if (text.empty()) return;
  constexpr std::string_view kDigits = "0123456789abcdef";
  key("description");
  text_ += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (const char escape = short_escape(c); escape != 0) {
      text_ += '\\';
      text_ += escape;
    } else if (byte < 0x20 || (dialect == Dialect::kV3 && is_markup(c))) {
      text_ += "\\u00";
      text_ += kDigits[byte >> 4];
      text_ += kDigits[byte & 15];
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

}  // namespace tabernetes::schema::openapi
