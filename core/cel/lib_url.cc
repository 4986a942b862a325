// URLs. Source: apiserver 1.36 pkg/cel/library/urls.go; Go's net/url.
#include <algorithm>
#include <vector>

#include "base/go/text.h"
#include "base/go/url.h"
#include "base/text/ascii.h"
#include "base/text/parts.h"
#include "cel/evaluator.h"

namespace tabernetes::cel {
namespace {

using F = Function;

struct Url {
  std::string_view scheme, host, path, query;
};

Url split_url(std::string_view text) {
  Url url;
  text = text.substr(0, text.find('#'));
  const std::size_t mark = text.find('?');
  if (mark != std::string_view::npos) url.query = text.substr(mark + 1);
  text = text.substr(0, mark);
  const std::size_t colon = text.find_first_of(":/");
  if (colon != std::string_view::npos && text[colon] == ':') {
    url.scheme = text.substr(0, colon);
    text.remove_prefix(colon + 1);
    if (!text.starts_with('/')) return url;  // an opaque part, not a path
  }
  if (text.starts_with("//") && !text.starts_with("///")) {
    const std::size_t end = std::min(text.find('/', 2), text.size());
    url.host = text.substr(2, end - 2);
    url.host.remove_prefix(url.host.rfind('@') + 1);
    text.remove_prefix(end);
  } else if (text.starts_with("///")) {
    text.remove_prefix(2);
  }
  url.path = text;
  return url;
}

// Splits off the port after the last colon.
void split_port(std::string_view host, std::string_view& name, std::string_view& port) {
  const std::size_t bracket = host.rfind(']');
  const std::size_t colon = host.find(':', bracket == host.npos ? 0 : bracket);
  name = host.substr(0, colon);
  port = colon == host.npos ? std::string_view() : host.substr(colon + 1);
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
}

// Decodes percent-escapes; returns false if one is invalid.
bool unescape(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      if (i + 2 >= text.size() || !is_hex(text[i + 1]) || !is_hex(text[i + 2])) return false;
      out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
      i += 2;
    }
  }
  return true;
}

// Returns the path with characters escaped as Go does when it re-encodes a path.
std::string escaped_path(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool plain = is_letter_or_digit(c) ||
                       std::string_view("-_.~$&+,/:;=@!'()*[]%").find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else {
      out += "%" + hex_text({&c, 1}, kUpperHexDigits);
    }
  }
  return out;
}

Value query_map(const Call& call, std::string_view query) {
  Value map = make_map(call.arena);
  std::vector<std::pair<std::string, Value>> lists;
  while (!query.empty()) {
    const std::string_view pair = take_part(query, '&');
    std::string key, value;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (pair.empty() || pair.find(';') != pair.npos || !unescape(pair.substr(0, equals), key) ||
        !unescape(pair.substr(std::min(equals + 1, pair.size())), value)) {
      continue;
    }
    auto found = std::find_if(lists.begin(), lists.end(),
                              [&](const auto& list) { return list.first == key; });
    if (found == lists.end()) {
      found = lists.insert(lists.end(), {key, make_list(call.arena)});
    }
    list_append(found->second, call.string(value), call.arena);
  }
  for (const auto& [key, list] : lists) map_insert(map, call.string(key), list, call.arena);
  return map;
}

Value part(const Call& call) {
  const Url url = split_url(call.text(0));
  std::string_view name, port;
  split_port(url.host, name, port);
  switch (call.function) {
    case F::kGetScheme:
      return call.string(ascii_lower(url.scheme));
    case F::kGetHost:
      return make_string(url.host);
    case F::kGetHostname:
      return make_string(name);
    case F::kGetPort:
      return make_string(port);
    case F::kGetEscapedPath:
      return call.string(escaped_path(url.path));
    case F::kGetQuery:
      return query_map(call, url.query);
    default:
      return not_mine();
  }
}

}  // namespace

Value call_url(const Call& call) {
  if (call.is("U")) return part(call);
  if (!call.is("s")) return not_mine();
  if (call.function == F::kIsUrl) return make_bool(is_go_request_uri(call.text(0)));
  if (call.function != F::kUrl) return not_mine();
  if (is_go_request_uri(call.text(0))) return make_text(Kind::kUrl, call.text(0));
  const std::string_view fault = call.text(0).empty() ? "empty url" : "invalid URI for request";
  return call.error("URL parse error during conversion from string: parse " +
                    go_quote(call.text(0)) + ": " + std::string(fault));
}

}  // namespace tabernetes::cel
