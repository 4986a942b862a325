#include "server/continue_token.h"

#include "codec/json_reader.h"
#include "codec/json_writer.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kVersion = "meta.k8s.io/v1";
constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string encode_base64url(std::string_view bytes) {
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (count += 8; count >= 6; count -= 6) out += kAlphabet[bits >> (count - 6) & 63];
  }
  if (count > 0) out += kAlphabet[bits << (6 - count) & 63];
  return out;
}

struct Decoded {
  std::string bytes;
  std::size_t error_at = std::string::npos;
};

// Go's RawURLEncoding: an odd character, or a single one left over, is corrupt input.
Decoded decode_base64url(std::string_view text) {
  Decoded decoded;
  std::uint32_t bits = 0;
  int count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t digit = kAlphabet.find(text[i]);
    if (digit == std::string_view::npos) {
      decoded.error_at = i;
      return decoded;
    }
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      decoded.bytes += static_cast<char>(bits >> count & 255);
    }
  }
  if (text.size() % 4 == 1) decoded.error_at = text.size();
  return decoded;
}

ApiStatus invalid(std::string_view detail) {
  return errors::bad_request("invalid continue token: continue key is not valid: " +
                             std::string(detail));
}

// A relative path that stays below the prefix of the list.
bool is_clean(std::string_view start) {
  std::string_view rest = start;
  while (true) {
    const std::size_t slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == std::string_view::npos) return true;
    rest.remove_prefix(slash + 1);
  }
}

}  // namespace

std::string encode_continue(const ContinueToken& token) {
  std::string json = R"({"v":"meta.k8s.io/v1","rv":)" + std::to_string(token.revision);
  json += ",\"start\":";
  codec::write_json_string("/" + token.start, json);
  json += '}';
  return encode_base64url(json);
}

Result<ContinueToken> decode_continue(std::string_view text) {
  const Decoded decoded = decode_base64url(text);
  if (decoded.error_at != std::string::npos) {
    return make_unexpected(
        invalid("illegal base64 data at input byte " + std::to_string(decoded.error_at)));
  }
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(decoded.bytes, arena);
  if (!read.ok()) return make_unexpected(invalid(read.error));
  const std::string_view version = read.value.string_at("v");
  if (version != kVersion) {
    return make_unexpected(
        invalid("server does not recognize this encoded version " + std::string(version)));
  }
  const json::Value* revision = read.value.find("rv");
  if (revision == nullptr || !revision->is_int() || revision->as_int() == 0) {
    return make_unexpected(
        invalid("incorrect encoded start resourceVersion (version meta.k8s.io/v1)"));
  }
  std::string_view start = read.value.string_at("start");
  if (start.empty()) {
    return make_unexpected(invalid("encoded start key empty (version meta.k8s.io/v1)"));
  }
  if (start.front() == '/') start.remove_prefix(1);  // as the real server's cache writes it
  if (!is_clean(start)) return make_unexpected(invalid(start));
  return ContinueToken{revision->as_int(), std::string(start)};
}

}  // namespace tabernetes::server
