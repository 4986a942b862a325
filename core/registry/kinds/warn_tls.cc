// Whether a certificate and a private key in PEM belong together, in the words of Go's
// crypto/tls.X509KeyPair. Of X.509 only the way to the public key is read: enough to find out that
// something else was put there, or another key.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "registry/kinds/warn.h"

namespace tabernetes::registry::kinds {
namespace {

struct PemBlock {
  std::string type, bytes;
};

// The next block of `text`, which loses it; nothing if there is no more.
std::optional<PemBlock> next_block(std::string_view& text) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::string_view kDashes = "-----";
  for (;;) {
    std::size_t begin = text.find(kBegin);
    while (begin != std::string_view::npos && begin > 0 && text[begin - 1] != '\n') {
      begin = text.find(kBegin, begin + 1);
    }
    if (begin == std::string_view::npos) return std::nullopt;
    text.remove_prefix(begin + kBegin.size());
    const std::size_t line = text.find('\n');
    std::string_view type = text.substr(0, line);
    while (!type.empty() && (type.back() == '\r' || type.back() == ' ')) type.remove_suffix(1);
    if (line == std::string_view::npos || !type.ends_with(kDashes)) continue;
    type.remove_suffix(kDashes.size());
    const std::string_view rest = text.substr(line);
    const std::size_t end = rest.find("\n-----END " + std::string(type) + std::string(kDashes));
    if (end == std::string_view::npos) continue;
    std::string coded;
    std::string_view body = rest.substr(0, end);
    // Headers are lines with a colon, which base64 has not.
    for (std::size_t colon; (colon = body.find(':')) != std::string_view::npos;) {
      const std::size_t after = body.find('\n', colon);
      body = after == std::string_view::npos ? std::string_view() : body.substr(after);
    }
    for (const char c : body) {
      if (c != '\n' && c != '\r' && c != ' ' && c != '\t') coded += c;
    }
    PemBlock block{std::string(type), {}};
    text = rest.substr(end + 1);
    if (auto bytes = base64_decode(coded)) {
      block.bytes = std::move(*bytes);
      return block;
    }
  }
}

// ASN.1 in DER: the contents of what comes next, if it has that tag. `der` loses it.
std::optional<std::string_view> take(std::string_view& der, unsigned char tag) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(der[i]); };
  if (der.size() < 2 || at(0) != tag) return std::nullopt;
  std::size_t head = 2;
  std::size_t size = at(1);
  if (size >= 0x80) {
    const std::size_t bytes = size & 0x7f;
    if (bytes > 4 || der.size() < 2 + bytes) return std::nullopt;
    size = 0;
    for (std::size_t i = 0; i < bytes; ++i) size = size << 8 | at(2 + i);
    head += bytes;
  }
  if (der.size() - head < size) return std::nullopt;
  const std::string_view contents = der.substr(head, size);
  der.remove_prefix(head + size);
  return contents;
}

constexpr unsigned char kInteger = 2, kBits = 3, kOctets = 4, kOid = 6, kSequence = 0x30;

// What two halves of a pair have in common: the algorithm's OID, and the public key where it shows.
struct Key {
  std::string_view algorithm, shown;
};
constexpr std::string_view kRsa = "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01";
constexpr std::string_view kEc = "\x2a\x86\x48\xce\x3d\x02\x01";

std::optional<Key> key_of(std::string_view algorithm, std::string_view bits) {
  if (algorithm != kRsa) return Key{algorithm, bits};
  const auto numbers = take(bits, kSequence);
  std::string_view rest = numbers.value_or(std::string_view());
  const auto modulus = take(rest, kInteger);
  if (!modulus) return std::nullopt;
  return Key{algorithm, *modulus};
}

std::optional<Key> key_of_certificate(std::string_view der) {
  const auto certificate = take(der, kSequence);
  if (!certificate || !der.empty()) return std::nullopt;
  std::string_view rest = *certificate;
  const auto signed_part = take(rest, kSequence);
  if (!signed_part) return std::nullopt;
  rest = *signed_part;
  take(rest, 0xa0);  // the version, if it is there
  if (!take(rest, kInteger)) return std::nullopt;
  for (int i = 0; i < 4; ++i) {  // algorithm, issuer, validity, subject
    if (!take(rest, kSequence)) return std::nullopt;
  }
  const auto info = take(rest, kSequence);
  if (!info) return std::nullopt;
  rest = *info;
  auto algorithm = take(rest, kSequence);
  const auto bits = take(rest, kBits);
  if (!algorithm || !bits || bits->empty()) return std::nullopt;
  const auto oid = take(*algorithm, kOid);
  return oid ? key_of(*oid, bits->substr(1)) : std::nullopt;
}

// PKCS #8, PKCS #1 or SEC 1.
std::optional<Key> key_of_private(std::string_view der, std::string_view algorithm = {}) {
  const auto sequence = take(der, kSequence);
  if (!sequence) return std::nullopt;
  std::string_view rest = *sequence;
  if (!take(rest, kInteger)) return std::nullopt;
  if (auto named = take(rest, kSequence)) {
    const auto oid = take(*named, kOid);
    const auto inner = take(rest, kOctets);
    if (!oid || !inner || !algorithm.empty()) return std::nullopt;
    return *oid == kRsa || *oid == kEc ? key_of_private(*inner, *oid) : Key{*oid, {}};
  }
  if (const auto modulus = take(rest, kInteger)) return Key{kRsa, *modulus};
  if (!take(rest, kOctets)) return std::nullopt;
  take(rest, 0xa0);
  auto wrapped = take(rest, 0xa1);
  const auto bits = wrapped ? take(*wrapped, kBits) : std::nullopt;
  return Key{kEc, bits && !bits->empty() ? bits->substr(1) : std::string_view()};
}

std::string list(const std::vector<std::string>& types) {
  std::string text = "[";
  for (const std::string& type : types) text += (text.size() > 1 ? " " : "") + type;
  return text + "]";
}

std::string missing(const char* what, const char* where, const std::vector<std::string>& skipped) {
  if (skipped.empty()) return std::string("tls: failed to find any PEM data in ") + where;
  return std::string("tls: failed to find ") + what + " in " + where +
         " after skipping PEM blocks of the following types: " + list(skipped);
}

bool is_private_key(std::string_view type) { return type.ends_with("PRIVATE KEY"); }

}  // namespace

std::string key_pair_fault(std::string_view certificate, std::string_view key) {
  const std::string certificates = base64_decode(certificate).value_or(std::string());
  const std::string keys = base64_decode(key).value_or(std::string());
  std::optional<std::string> first;
  std::vector<std::string> skipped;
  std::string_view rest = certificates;
  while (auto block = next_block(rest)) {
    if (block->type != "CERTIFICATE") {
      skipped.push_back(std::move(block->type));
    } else if (!first) {
      first = std::move(block->bytes);
    }
  }
  if (!first) {
    if (skipped.size() == 1 && is_private_key(skipped[0])) {
      return "tls: failed to find certificate PEM data in certificate input, but did find a "
             "private key; PEM inputs may have been switched";
    }
    return missing("\"CERTIFICATE\" PEM block", "certificate input", skipped);
  }
  skipped.clear();
  rest = keys;
  auto block = next_block(rest);
  for (; block && !is_private_key(block->type); block = next_block(rest)) {
    skipped.push_back(std::move(block->type));
  }
  if (!block) {
    if (skipped.size() == 1 && skipped[0] == "CERTIFICATE") {
      return "tls: found a certificate rather than a key in the PEM for the private key";
    }
    return missing("PEM block with type ending in \"PRIVATE KEY\"", "key input", skipped);
  }
  const auto open = key_of_certificate(*first);
  if (!open) return "x509: malformed certificate";
  const auto secret = key_of_private(block->bytes);
  if (!secret) return "tls: failed to parse private key";
  if (open->algorithm != secret->algorithm) {
    return "tls: private key type does not match public key type";
  }
  if (!secret->shown.empty() && open->shown != secret->shown) {
    return "tls: private key does not match public key";
  }
  return {};
}

}  // namespace tabernetes::registry::kinds
