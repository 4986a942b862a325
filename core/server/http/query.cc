#include "server/http/query.h"

#include "base/go/text.h"
#include "base/text/ascii.h"

namespace tabernetes::server {

std::string percent_decode(std::string_view text, PlusSign plus) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && is_hex(text[i + 1]) && is_hex(text[i + 2])) {
      out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
      i += 2;
    } else if (text[i] == '+' && plus == PlusSign::kSpace) {
      out += ' ';
    } else {
      out += text[i];
    }
  }
  return out;
}

Query Query::parse(std::string_view text) {
  Query query;
  while (!text.empty()) {
    const std::size_t end = text.find('&');
    const std::string_view pair = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
    query.values_.emplace_back(percent_decode(pair.substr(0, equals), PlusSign::kSpace),
                               percent_decode(value, PlusSign::kSpace));
  }
  return query;
}

bool Query::has(std::string_view name) const {
  for (const auto& [key, value] : values_) {
    if (key == name) return true;
  }
  return false;
}

std::string_view Query::get(std::string_view name) const {
  for (const auto& [key, value] : values_) {
    if (key == name) return value;
  }
  return {};
}

std::vector<std::string> Query::all(std::string_view name) const {
  std::vector<std::string> found;
  for (const auto& [key, value] : values_) {
    if (key == name) found.push_back(value);
  }
  return found;
}

std::optional<bool> Query::boolean(std::string_view name) const {
  if (!has(name)) return std::nullopt;
  const std::string_view value = get(name);
  return !(value == "0" || equals_ignoring_case(value, "false"));
}

Result<std::optional<std::int64_t>> Query::integer(std::string_view name) const {
  if (!has(name)) return std::optional<std::int64_t>();
  const GoParsedInt parsed = go_parse_int(get(name));
  if (!parsed.error.empty()) return errors::bad_request(parsed.error);
  return std::optional<std::int64_t>(parsed.value);
}

}  // namespace tabernetes::server
