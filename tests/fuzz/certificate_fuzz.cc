// Certificates and keys in PEM or DER, well-formed or not: reading is deterministic, and an
// accepted key verifies what it signs. The input is the text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/crypto/certificate.h"
#include "base/crypto/pem.h"
#include "base/crypto/rsa.h"

namespace {

using namespace tabernetes;

void require(bool holds) {
  if (!holds) std::abort();
}

void read_der(std::string_view der) {
  const Certificate certificate = read_certificate(der);
  require(certificate.fault == read_certificate(der).fault);
  require(!certificate.fault.empty() || certificate.public_key.size() < der.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  require(root_certificates_fault(text) == root_certificates_fault(text));
  read_der(text);
  std::string_view rest = text;
  while (const auto block = take_pem_block(rest)) {
    require(rest.size() < text.size());
    read_der(block->bytes);
  }
  const auto key = RsaKey::parse_pem(text);
  if (!key) return 0;
  require(!key->modulus().empty() && !key->exponent().empty() && !key->public_key_info().empty());
  const std::string signature = key->sign("message");
  require(key->verify("message", signature) && !key->verify("messagf", signature));
  return 0;
}
