#include "patch/directives.h"

#include "json/go_format.h"
#include "json/type_name.h"

namespace tabernetes::patch {
namespace {

// Formats a value like fmt with %s.
std::string go_text(const json::Value& value) {
  std::string text = json::go_format(value);
  switch (value.type()) {
    case json::Type::kNull:
      return "%!s(<nil>)";
    case json::Type::kBool:
      return "%!s(bool=" + text + ")";
    case json::Type::kInt:
      return "%!s(int64=" + text + ")";
    case json::Type::kDouble:
      return "%!s(float64=" + text + ")";
    default:
      return text;
  }
}

}  // namespace

std::optional<std::string_view> field_of(std::string_view key, std::string_view prefix) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos || key.substr(0, slash) != prefix) return std::nullopt;
  return key.substr(slash + 1);
}

Failure unknown_directive(const json::Value& directive, const json::Value& map) {
  return errors::plain_error("unknown patch type: " + go_text(directive) +
                             " in map: " + json::go_format(map));
}

Failure unexpected_type(std::string_view wanted, const json::Value& value) {
  const std::string_view found = value.is_null() ? "%!s(<nil>)" : json::go_dynamic_type(value);
  return errors::plain_error(
      std::string("expected a ").append(wanted).append(", but received a ").append(found));
}

}  // namespace tabernetes::patch
