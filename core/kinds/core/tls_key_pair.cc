// Checks that a certificate and a private key in PEM belong together, with the errors of Go's
// crypto/tls.X509KeyPair.
#include "kinds/core/tls_key_pair.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/crypto/certificate.h"
#include "base/crypto/der.h"
#include "base/crypto/pem.h"
#include "base/text/base64.h"

namespace tabernetes::registry::kinds {
namespace {

// The common part of a key pair: the algorithm's OID, and the public key if available.
struct Key {
  std::string_view algorithm, shown;
};

std::optional<Key> key_of(std::string_view algorithm, std::string_view bits) {
  if (algorithm != Certificate::kRsa) return Key{algorithm, bits};
  const auto numbers = der::take(bits, der::kSequence);
  std::string_view rest = numbers.value_or(std::string_view());
  const auto modulus = der::take(rest, der::kInteger);
  if (!modulus) return std::nullopt;
  return Key{algorithm, *modulus};
}

// Parses PKCS #8, PKCS #1 or SEC 1.
std::optional<Key> key_of_private(std::string_view bytes, std::string_view algorithm = {}) {
  const auto sequence = der::take(bytes, der::kSequence);
  if (!sequence) return std::nullopt;
  std::string_view rest = *sequence;
  if (!der::take(rest, der::kInteger)) return std::nullopt;
  if (auto named = der::take(rest, der::kSequence)) {
    const auto oid = der::take(*named, der::kOid);
    const auto inner = der::take(rest, der::kOctets);
    if (!oid || !inner || !algorithm.empty()) return std::nullopt;
    return *oid == Certificate::kRsa || *oid == Certificate::kEc ? key_of_private(*inner, *oid)
                                                                 : Key{*oid, {}};
  }
  if (const auto modulus = der::take(rest, der::kInteger)) return Key{Certificate::kRsa, *modulus};
  if (!der::take(rest, der::kOctets)) return std::nullopt;
  der::take(rest, 0xa0);
  auto wrapped = der::take(rest, 0xa1);
  const auto bits = wrapped ? der::take(*wrapped, der::kBits) : std::nullopt;
  return Key{Certificate::kEc, bits && !bits->empty() ? bits->substr(1) : std::string_view()};
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
  while (auto block = take_pem_block(rest)) {
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
  auto block = take_pem_block(rest);
  for (; block && !is_private_key(block->type); block = take_pem_block(rest)) {
    skipped.push_back(std::move(block->type));
  }
  if (!block) {
    if (skipped.size() == 1 && skipped[0] == "CERTIFICATE") {
      return "tls: found a certificate rather than a key in the PEM for the private key";
    }
    return missing("PEM block with type ending in \"PRIVATE KEY\"", "key input", skipped);
  }
  const Certificate read = read_certificate(*first);
  if (!read.fault.empty()) return read.fault;
  const auto open = key_of(read.algorithm, read.public_key);
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
