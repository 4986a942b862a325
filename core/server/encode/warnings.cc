// Warning headers. Source: spec/rest.md 5.10; apiserver 1.36 pkg/endpoints/filters/warning.go,
// apimachinery pkg/util/net/http.go (NewWarningHeader).
// Tested by tests/core/server/encode/warnings_test.cc.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "server/encode/answer.h"

namespace tabernetes::server {
namespace {

constexpr std::size_t kTotalRunes = 4096;
constexpr std::size_t kTruncatedRunes = 256;

// Texts that are no UTF-8 or have control characters cannot stand in a header.
bool can_be_sent(std::string_view text) {
  while (!text.empty()) {
    const Rune rune = decode_rune(text);
    if (!rune.valid || rune.value < 0x20 || (rune.value >= 0x7f && rune.value < 0xa0)) return false;
    text.remove_prefix(rune.size);
  }
  return true;
}

// The first `most` code points of `text`, and how many they are.
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

// Collects headers until they would be too many characters; from then on all are cut short.
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

  std::vector<std::string> texts_;    // each once, those too that cannot be sent
  std::vector<std::string> headers_;  // what is sent
  std::size_t used_ = 0;              // characters of them
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
