// Splits PEM text into blocks with Go's rules; mbedTLS decodes their contents.
#include "base/crypto/pem.h"

#include <utility>

#include "mbedtls/pem.h"

namespace tabernetes {
namespace {

constexpr std::string_view kBegin = "-----BEGIN ";
constexpr std::string_view kEnd = "\n-----END ";
constexpr std::string_view kDashes = "-----";

// Returns the line at `at` without trailing white space and moves `at` past it.
std::string_view take_line(std::string_view text, std::size_t& at) {
  std::string_view line = text.substr(at, text.find('\n', at) - at);
  const std::size_t after = at + line.size() + 1;
  at = after < text.size() ? after : text.size();
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  return line;
}

// Decodes the base64 between the BEGIN and END lines, ignoring white space.
std::optional<std::string> decode_body(std::string_view body) {
  static constexpr char kFirst[] = "-----BEGIN-----", kLast[] = "-----END-----";
  std::string text = std::string(kFirst) + "\n";
  const std::size_t before = text.size();
  for (const char c : body) {
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') text += c;
  }
  if (text.size() == before) return std::string();
  text.append("\n").append(kLast).append("\n");
  mbedtls_pem_context pem;
  mbedtls_pem_init(&pem);
  std::size_t used = 0;
  const int fault = mbedtls_pem_read_buffer(
      &pem, kFirst, kLast, reinterpret_cast<const unsigned char*>(text.c_str()), nullptr, 0, &used);
  std::optional<std::string> bytes;
  if (fault == 0) {
    std::size_t size = 0;
    const unsigned char* const data = mbedtls_pem_get_buffer(&pem, &size);
    bytes.emplace(reinterpret_cast<const char*>(data), size);
  }
  mbedtls_pem_free(&pem);
  return bytes;
}

// Returns the block whose type begins at `at` and whose END line begins at `end`, or nullopt if it
// is malformed.
std::optional<PemBlock> read_block(std::string_view text, std::size_t at, std::size_t end) {
  std::string_view type = take_line(text, at);
  if (!type.ends_with(kDashes)) return std::nullopt;
  type.remove_suffix(kDashes.size());
  PemBlock block{std::string(type), {}, false};
  for (;;) {
    std::size_t next = at;
    if (take_line(text, next).find(':') == std::string_view::npos) break;
    block.has_headers = true;
    at = next;
  }
  if (block.has_headers && at > end) return std::nullopt;
  std::size_t closing = end + kEnd.size();
  if (take_line(text, closing) != block.type + std::string(kDashes)) return std::nullopt;
  if (at >= end) return block;
  std::optional<std::string> bytes = decode_body(text.substr(at, end - at));
  if (!bytes) return std::nullopt;
  block.bytes = std::move(*bytes);
  return block;
}

}  // namespace

std::optional<PemBlock> take_pem_block(std::string_view& text) {
  for (std::size_t from = 0;;) {
    const std::size_t end = text.find(kEnd, from);
    if (end == std::string_view::npos) return std::nullopt;
    // Uses the last BEGIN before the END: a block without its own END is skipped.
    const std::string_view before = text.substr(from, end - from);
    const std::size_t begin = before.rfind(kBegin);
    const std::size_t at = from + begin;
    from = end + kEnd.size();
    if (begin == std::string_view::npos || (begin > 0 && before[begin - 1] != '\n')) continue;
    std::optional<PemBlock> block = read_block(text, at + kBegin.size(), end);
    if (!block) continue;
    take_line(text, from);
    text.remove_prefix(from);
    return block;
  }
}

}  // namespace tabernetes
