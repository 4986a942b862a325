// Warning headers. Source: spec/rest.md 5.10; apiserver 1.36 pkg/endpoints/filters/warning.go,
// apimachinery pkg/util/net/http.go (NewWarningHeader).
// Tested by tests/core/server/encode/warnings_test.cc.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/utf8.h"
#include "server/encode/answer.h"

namespace tabernetes::server {
namespace {

constexpr std::size_t kTotalRunes = 4096;
constexpr std::size_t kTruncatedRunes = 256;

// Returns false for text with invalid UTF-8 or control characters, which a header cannot contain.
bool can_be_sent(std::string_view text) {
  while (!text.empty()) {
    const Rune rune = decode_rune(text);
    if (!rune.valid || rune.value < 0x20 || (rune.value >= 0x7f && rune.value < 0xa0)) return false;
    text.remove_prefix(rune.size);
  }
  return true;
}

// The first code points of a text, and their number.
struct Cut {
  std::string_view text;
  std::size_t runes = 0;
};

Cut cut_off(std::string_view text, std::size_t most) {
  Cut cut;
  std::size_t size = 0;
  while (size < text.size() && cut.runes < most) {
    size += decode_rune(text.substr(size)).size;
    ++cut.runes;
  }
  cut.text = text.substr(0, size);
  return cut;
}

std::string quoted(std::string_view text) {
  std::string out = "299 - \"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// Collects headers; once they exceed the total limit, all are truncated.
class Recorder {
 public:
  void add(const std::string& text) {
    if (text.empty() || (truncating_ && used_ >= kTotalRunes)) return;
    if (std::find(texts_.begin(), texts_.end(), text) != texts_.end()) return;
    texts_.push_back(text);
    const Cut cut = cut_off(text, truncating_ ? kTruncatedRunes : text.size());
    if (!can_be_sent(cut.text)) return;
    if (truncating_ || used_ + cut.runes <= kTotalRunes) {
      write(cut);
      return;
    }
    truncating_ = true;
    used_ = 0;
    headers_.clear();
    for (const std::string& earlier : texts_) {
      const Cut shorter = cut_off(earlier, kTruncatedRunes);
      if (can_be_sent(shorter.text)) write(shorter);
    }
  }

  const std::vector<std::string>& headers() const { return headers_; }

 private:
  void write(const Cut& cut) {
    used_ += cut.runes;
    headers_.push_back(quoted(cut.text));
  }

  std::vector<std::string> texts_;    // without duplicates, including those that cannot be sent
  std::vector<std::string> headers_;  // to be sent
  std::size_t used_ = 0;              // total characters of the headers
  bool truncating_ = false;
};

}  // namespace

void add_warnings(const std::vector<std::string>& texts, Response& response) {
  Recorder recorder;
  for (const std::string& text : texts) recorder.add(text);
  for (const std::string& header : recorder.headers()) {
    response.headers.emplace_back("Warning", header);
  }
}

}  // namespace tabernetes::server
