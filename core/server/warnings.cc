// Warning headers. Source: spec/rest.md 5.10; upstream apiserver pkg/warning and filters/warning.

#include <algorithm>
#include <string>
#include <vector>

#include "server/answer.h"

namespace tabernetes::server {
namespace {

constexpr std::size_t kTotalLimit = 4096;
constexpr std::size_t kTruncatedSize = 256;

bool is_printable(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

std::string quoted(std::string_view text) {
  std::string out = "299 - \"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

void add_warnings(const std::vector<std::string>& texts, Response& response) {
  std::vector<std::string> kept;
  for (const std::string& text : texts) {
    if (is_printable(text) && std::find(kept.begin(), kept.end(), text) == kept.end()) {
      kept.push_back(text);
    }
  }
  std::size_t total = 0;
  for (const std::string& text : kept) total += text.size();
  const bool truncate = total > kTotalLimit;
  std::size_t used = 0;
  for (const std::string& text : kept) {
    const std::string shown = truncate ? text.substr(0, kTruncatedSize) : text;
    if (used + shown.size() > kTotalLimit) break;
    used += shown.size();
    response.headers.emplace_back("Warning", quoted(shown));
  }
}

}  // namespace tabernetes::server
