#include "token.h"

#include "client.h"
#include "codec/json_writer.h"

namespace tabernetes::property {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string from_base64url(std::string_view text) {
  std::string bits, bytes;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) fail("no base64url: " + std::string(text));
    for (int i = 5; i >= 0; --i) bits += (digit >> i & 1) != 0 ? '1' : '0';
  }
  for (std::size_t at = 0; at + 8 <= bits.size(); at += 8) {
    bytes += static_cast<char>(std::stoi(bits.substr(at, 8), nullptr, 2));
  }
  return bytes;
}

std::string token_json(std::string_view version, const std::string& revision,
                       std::string_view start) {
  std::string json = "{\"v\":\"" + std::string(version) + "\",\"rv\":" + revision + ",\"start\":";
  codec::write_json_string(start, json);
  return json + "}";
}

constexpr std::string_view kVersion = "meta.k8s.io/v1";

}  // namespace

std::string base64url(std::string_view bytes) {
  std::string bits, text;
  for (const char c : bytes) {
    for (int i = 7; i >= 0; --i) {
      bits += (static_cast<unsigned char>(c) >> i & 1) != 0 ? '1' : '0';
    }
  }
  while (bits.size() % 6 != 0) bits += '0';
  for (std::size_t at = 0; at < bits.size(); at += 6) {
    text += kDigits[static_cast<std::size_t>(std::stoi(bits.substr(at, 6), nullptr, 2))];
  }
  return text;
}

std::string Token::text() const {
  return base64url(token_json(kVersion, std::to_string(version), start));
}

Token Token::parse(const std::string& text) {
  const Document document(from_base64url(text));
  expect_equal("v of a token", document.root.string_at("v"), kVersion);
  const json::Value* revision = document.root.find("rv");
  expect(revision != nullptr && revision->is_int(), "a token without rv");
  Token token{revision->as_int(), std::string(document.root.string_at("start"))};
  if (token.start.starts_with('/')) token.start.erase(0, 1);  // a real server's cache writes it so
  expect(token.start.size() > 1 && token.start.back() == '\0', "a token's start without NUL");
  return token;
}

BadToken random_bad_token(Random& random, const Token& good) {
  const std::string prefix = "invalid continue token: continue key is not valid: ";
  const std::string revision = std::to_string(good.version);
  const std::string behind = " (version meta.k8s.io/v1)";
  switch (random.below(8)) {
    case 0: {
      const std::string text = good.text();
      return {text + "!",
              prefix + "illegal base64 data at input byte " + std::to_string(text.size())};
    }
    case 1:
      return {base64url("xyz"), prefix + "invalid character 'x' looking for beginning of value"};
    case 2:
      return {base64url(token_json("meta.k8s.io/v2", revision, good.start)),
              prefix + "server does not recognize this encoded version meta.k8s.io/v2"};
    case 3:
      return {base64url(token_json(kVersion, "0", good.start)),
              prefix + "incorrect encoded start resourceVersion" + behind};
    case 4:
      return {base64url(token_json(kVersion, revision, "")),
              prefix + "encoded start key empty" + behind};
    case 5:
      return {base64url(token_json(kVersion, revision, "../secrets/a")), prefix + "../secrets/a"};
    case 6:
      return {base64url(token_json(kVersion, revision, "a/../../b")), prefix + "a/../../b"};
    default:
      return {base64url(token_json(kVersion, revision, "a//b")), prefix + "a//b"};
  }
}

}  // namespace tabernetes::property
