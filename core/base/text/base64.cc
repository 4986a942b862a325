#include "base/text/base64.h"

#include <array>
#include <cstdint>

namespace tabernetes {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 0xFF;

constexpr std::array<std::uint8_t, 256> make_digits() {
  std::array<std::uint8_t, 256> digits{};
  for (std::uint8_t& digit : digits) digit = kNoDigit;
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return digits;
}
constexpr std::array<std::uint8_t, 256> kDigits = make_digits();

std::uint8_t digit_of(char c) { return kDigits[static_cast<unsigned char>(c)]; }

bool is_break(char c) { return c == '\n' || c == '\r'; }

// Decodes groups of four digits. Error positions follow Go's encoding/base64, decodeQuantum.
class Decoder {
 public:
  Decoder(std::string_view text, std::string* out) : text_(text), out_(out) {}

  Base64Text run() {
    while (next_ < text_.size() && !result_.error_at && !ended_) read_group();
    return result_;
  }

 private:
  void fail(std::size_t at) { result_.error_at = at; }

  void read_group() {
    std::uint32_t bits = 0;
    int count = 0;
    while (count < 4) {
      if (next_ == text_.size()) {
        if (count > 0) fail(next_ - static_cast<std::size_t>(count));
        return;
      }
      const char c = text_[next_++];
      if (const std::uint8_t digit = digit_of(c); digit != kNoDigit) {
        bits = bits << 6 | digit;
        ++count;
      } else if (is_break(c)) {
        result_.canonical = false;
      } else if (c == '=' && count >= 2) {
        read_padding(count);
        break;
      } else {
        fail(next_ - 1);
        return;
      }
    }
    if (!result_.error_at) write(bits, count);
  }

  void skip_breaks() {
    while (next_ < text_.size() && is_break(text_[next_])) {
      ++next_;
      result_.canonical = false;
    }
  }

  // Reads the rest of the padding after the first '=' of a group with `count` digits.
  void read_padding(int count) {
    ended_ = true;
    if (count == 2) {
      skip_breaks();
      if (next_ == text_.size()) return fail(text_.size());
      if (text_[next_] != '=') return fail(next_ - 1);
      ++next_;
    }
    skip_breaks();
    if (next_ < text_.size()) fail(next_);
  }

  void write(std::uint32_t bits, int count) {
    bits <<= 6 * (4 - count);
    const int bytes = count - 1;
    if ((bits & ((1u << (8 * (3 - bytes))) - 1)) != 0) result_.canonical = false;
    if (out_ == nullptr) return;
    for (int i = 0; i < bytes; ++i) *out_ += static_cast<char>(bits >> (16 - 8 * i) & 0xFF);
  }

  std::string_view text_;
  std::string* out_;
  std::size_t next_ = 0;
  bool ended_ = false;
  Base64Text result_;
};

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const auto byte = i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0u;
      bits = bits << 8 | byte;
    }
    const std::size_t digits = bytes.size() - i >= 3 ? 4 : bytes.size() - i + 1;
    for (std::size_t j = 0; j < 4; ++j) {
      out += j < digits ? kAlphabet[bits >> (18 - 6 * j) & 63] : '=';
    }
  }
  return out;
}

Base64Text check_base64(std::string_view text) { return Decoder(text, nullptr).run(); }

std::optional<std::string> base64_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  if (Decoder(text, &out).run().error_at) return std::nullopt;
  return out;
}

std::string base64url_encode(std::string_view bytes) {
  std::string text = base64_encode(bytes);
  while (text.ends_with('=')) text.pop_back();
  for (char& c : text) {
    if (c == '+') c = '-';
    if (c == '/') c = '_';
  }
  return text;
}

std::optional<std::string> base64url_decode(std::string_view text) {
  std::string standard(text);
  for (char& c : standard) {
    if (c == '+' || c == '/' || c == '=') return std::nullopt;
    if (c == '-') c = '+';
    if (c == '_') c = '/';
  }
  standard.append((4 - standard.size() % 4) % 4, '=');
  return base64_decode(standard);
}

}  // namespace tabernetes
