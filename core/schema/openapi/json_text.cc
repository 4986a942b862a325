#include "schema/openapi/json_text.h"

#include "json/escape.h"

namespace tabernetes::schema::openapi {
namespace {

bool must_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

bool is_markup(char c) { return c == '<' || c == '>' || c == '&'; }

}  // namespace

void JsonText::description(std::string_view text, Dialect dialect) {
  if (text.empty()) return;
  key("description");
  text_ += '"';
  for (const char c : text) {
    if (must_escape(c) || (dialect == Dialect::kV3 && is_markup(c))) {
      text_ += json::escape_of(c).view();
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

}  // namespace tabernetes::schema::openapi
