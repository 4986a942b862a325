// Tested by tests/core/codec/media_type_test.cc.
#include "codec/media_type.h"

#include <algorithm>

#include "base/numbers/parse_float.h"
#include "base/text/ascii.h"
#include "base/text/parts.h"

namespace tabernetes::codec {
namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

std::string_view trim_blanks(std::string_view text) { return trim(text, " "); }

void set_parameter(Parameters& parameters, std::string_view name, std::string_view value) {
  for (auto& [there, old_value] : parameters) {
    if (there == name) {
      old_value = value;
      return;
    }
  }
  parameters.emplace_back(name, value);
}

// Invalid numbers count as 0. Single precision, as in Go.
float parse_quality(std::string_view text) {
  return static_cast<float>(parse_float(text).value_or(0));
}

void read_accept_parameters(std::string_view text, AcceptClause& clause) {
  while (!text.empty()) {
    std::string_view value = take_part(text, ';');
    const std::string_view name = take_part(value, '=');
    if (value.empty() || value.find('=') < value.size() - 1) continue;
    if (value.back() == '=') value.remove_suffix(1);
    if (trim_blanks(name) == "q") {
      clause.q = parse_quality(value);
    } else {
      set_parameter(clause.parameters, trim_blanks(name), trim_blanks(value));
    }
  }
}

std::optional<AcceptClause> read_accept_clause(std::string_view text) {
  std::string_view subtype = take_part(text, ';');
  AcceptClause clause;
  clause.type = trim_blanks(take_part(subtype, '/'));
  if (subtype.empty()) {
    if (clause.type != "*") return std::nullopt;
    clause.subtype = "*";
  } else {
    if (subtype.find('/') < subtype.size() - 1) return std::nullopt;
    clause.subtype = trim_blanks(take_part(subtype, '/'));
  }
  read_accept_parameters(text, clause);
  return clause;
}

// Not a strict weak ordering: a specific type also beats a wildcard of higher quality.
bool before(const AcceptClause& a, const AcceptClause& b) {
  return a.q > b.q || (a.type != "*" && b.type == "*") || (a.subtype != "*" && b.subtype == "*");
}

// Sorts like Go's sort.Sort up to 12 elements; the result depends on the algorithm, see before().
void insertion_sort(std::vector<AcceptClause>& clauses) {
  for (std::size_t i = 1; i < clauses.size(); ++i) {
    for (std::size_t j = i; j > 0 && before(clauses[j], clauses[j - 1]); --j) {
      std::swap(clauses[j], clauses[j - 1]);
    }
  }
}

bool is_token_character(char c) {
  return c > ' ' && c < '\x7F' &&
         std::string_view("()<>@,;:\\\"/[]?=").find(c) == std::string_view::npos;
}

std::string_view take_token(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && is_token_character(text[length])) ++length;
  const std::string_view token = text.substr(0, length);
  text.remove_prefix(length);
  return token;
}

void skip_spaces(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kGoSpaces), text.size()));
}

bool take(std::string_view& text, char c) {
  skip_spaces(text);
  if (text.empty() || text[0] != c) return false;
  text.remove_prefix(1);
  return true;
}

// A backslash escapes special characters only; before others it is kept, for old browsers.
std::optional<std::string> take_quoted(std::string_view& text) {
  std::string value;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      text.remove_prefix(i + 1);
      return value;
    }
    if (c == '\r' || c == '\n') return std::nullopt;
    const bool escapes = c == '\\' && i + 1 < text.size() && text[i + 1] > ' ' &&
                         text[i + 1] < '\x7F' && !is_token_character(text[i + 1]);
    value += escapes ? text[++i] : c;
  }
  return std::nullopt;
}

// Parses `; name=value`; returns false if it is malformed.
bool take_parameter(std::string_view& text, Parameters& parameters) {
  if (!take(text, ';')) return false;
  skip_spaces(text);
  const std::string name = ascii_lower(take_token(text));
  if (name.empty() || !take(text, '=')) return false;
  skip_spaces(text);
  std::string value;
  if (!text.empty() && text[0] == '"') {
    auto quoted = take_quoted(text);
    if (!quoted) return false;
    value = std::move(*quoted);
  } else {
    value = take_token(text);
    if (value.empty()) return false;
  }
  for (const auto& [there, old_value] : parameters) {
    if (there == name && old_value != value) return false;
  }
  set_parameter(parameters, name, value);
  return true;
}

bool is_type_and_subtype(std::string_view text) {
  if (take_token(text).empty()) return false;
  if (text.empty()) return true;
  if (text[0] != '/') return false;
  text.remove_prefix(1);
  return !take_token(text).empty() && text.empty();
}

}  // namespace

std::string_view media_type_of(Encoding encoding) {
  switch (encoding) {
    case Encoding::kJson:
      return "application/json";
    case Encoding::kYaml:
      return "application/yaml";
    case Encoding::kProtobuf:
      return "application/vnd.kubernetes.protobuf";
    case Encoding::kCbor:
      return "application/cbor";
  }
  return {};
}

std::string_view AcceptClause::parameter(std::string_view name) const {
  for (const auto& [there, value] : parameters) {
    if (there == name) return value;
  }
  return {};
}

std::vector<AcceptClause> parse_accept(std::string_view header) {
  if (header.empty()) header = "*/*";
  std::vector<AcceptClause> clauses;
  while (!header.empty()) {
    auto clause = read_accept_clause(trim_blanks(take_part(header, ',')));
    if (clause) clauses.push_back(std::move(*clause));
  }
  insertion_sort(clauses);
  return clauses;
}

std::optional<MediaType> parse_content_type(std::string_view header) {
  const std::string_view base = header.substr(0, header.find(';'));
  MediaType media{ascii_lower(trim(base, kGoSpaces)), {}};
  if (!is_type_and_subtype(media.type)) return std::nullopt;
  std::string_view rest = header.substr(base.size());
  while (true) {
    rest = trim(rest, kGoSpaces);
    if (rest.empty() || rest == ";") return media;
    if (!take_parameter(rest, media.parameters)) return std::nullopt;
  }
}

}  // namespace tabernetes::codec
