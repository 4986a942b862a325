#include "base/crypto/ecdsa.h"

#include "base/crypto/octets.h"
#include "mbedtls/ecdsa.h"
#include "mbedtls/ecp.h"
#include "mbedtls/hmac_drbg.h"
#include "mbedtls/md.h"
#include "mbedtls/pk.h"

namespace tabernetes {
namespace {

struct Curve {
  mbedtls_ecp_group_id id;
  std::string_view name, algorithm;
  mbedtls_md_type_t digest;
  std::size_t bytes;  // of a coordinate, and of a number of a signature
};
constexpr Curve kCurves[] = {
    {MBEDTLS_ECP_DP_SECP256R1, "P-256", "ES256", MBEDTLS_MD_SHA256, 32},
    {MBEDTLS_ECP_DP_SECP384R1, "P-384", "ES384", MBEDTLS_MD_SHA384, 48},
    {MBEDTLS_ECP_DP_SECP521R1, "P-521", "ES512", MBEDTLS_MD_SHA512, 66},
};

// A key as mbedTLS parses it, for one operation.
class ParsedKey {
 public:
  explicit ParsedKey(const std::string& pem) {
    mbedtls_pk_init(&pk_);
    // mbedTLS recognises PEM by the terminating zero.
    if (mbedtls_pk_parse_key(&pk_, octets(std::string_view(pem)), pem.size() + 1, nullptr, 0,
                             nullptr, nullptr) != 0 ||
        mbedtls_pk_get_type(&pk_) != MBEDTLS_PK_ECKEY) {
      return;
    }
    for (const Curve& curve : kCurves) {
      if (curve.id == pair().private_grp.id) curve_ = &curve;
    }
  }
  ~ParsedKey() { mbedtls_pk_free(&pk_); }
  ParsedKey(const ParsedKey&) = delete;
  ParsedKey& operator=(const ParsedKey&) = delete;

  const Curve* curve() const { return curve_; }  // null: unusable
  mbedtls_ecp_keypair& pair() const { return *mbedtls_pk_ec(pk_); }
  const mbedtls_pk_context& pk() const { return pk_; }

 private:
  mbedtls_pk_context pk_;
  const Curve* curve_ = nullptr;
};

struct BigNumber {
  BigNumber() { mbedtls_mpi_init(&mpi); }
  ~BigNumber() { mbedtls_mpi_free(&mpi); }
  BigNumber(const BigNumber&) = delete;
  BigNumber& operator=(const BigNumber&) = delete;

  mbedtls_mpi mpi;
};

std::string bytes_of(const mbedtls_mpi& number, std::size_t size) {
  std::string bytes(size, '\0');
  mbedtls_mpi_write_binary(&number, octets(bytes), bytes.size());
  return bytes;
}

std::string digest_of(mbedtls_md_type_t type, std::string_view message) {
  const mbedtls_md_info_t* info = mbedtls_md_info_from_type(type);
  std::string digest(mbedtls_md_get_size(info), '\0');
  mbedtls_md(info, octets(message), message.size(), octets(digest));
  return digest;
}

}  // namespace

std::optional<EcKey> EcKey::parse_pem(std::string_view pem) {
  EcKey key;
  key.pem_ = pem;
  const ParsedKey parsed(key.pem_);
  const Curve* curve = parsed.curve();
  if (curve == nullptr) return std::nullopt;
  mbedtls_ecp_keypair& pair = parsed.pair();
  if (mbedtls_ecp_check_privkey(&pair.private_grp, &pair.private_d) != 0 ||
      mbedtls_ecp_check_pubkey(&pair.private_grp, &pair.private_Q) != 0) {
    return std::nullopt;
  }
  key.algorithm_ = curve->algorithm;
  key.curve_ = curve->name;
  key.x_ = bytes_of(pair.private_Q.private_X, curve->bytes);
  key.y_ = bytes_of(pair.private_Q.private_Y, curve->bytes);
  std::string buffer(512, '\0');
  const int size = mbedtls_pk_write_pubkey_der(&parsed.pk(), octets(buffer), buffer.size());
  if (size <= 0) return std::nullopt;
  key.public_key_info_ = buffer.substr(buffer.size() - static_cast<std::size_t>(size));
  // Shows that the numbers belong together.
  if (key.sign({}).empty()) return std::nullopt;
  return key;
}

std::string EcKey::sign(std::string_view message) const {
  const ParsedKey parsed(pem_);
  const Curve& curve = *parsed.curve();
  const std::string digest = digest_of(curve.digest, message);
  // Hides the key from those who measure times; the signature does not depend on it.
  mbedtls_hmac_drbg_context blinding;
  mbedtls_hmac_drbg_init(&blinding);
  const std::string seed = pem_ + digest;
  mbedtls_hmac_drbg_seed_buf(&blinding, mbedtls_md_info_from_type(MBEDTLS_MD_SHA256),
                             octets(std::string_view(seed)), seed.size());
  mbedtls_ecp_keypair& pair = parsed.pair();
  BigNumber r, s;
  const int fault = mbedtls_ecdsa_sign_det_ext(&pair.private_grp, &r.mpi, &s.mpi, &pair.private_d,
                                               octets(std::string_view(digest)), digest.size(),
                                               curve.digest, mbedtls_hmac_drbg_random, &blinding);
  mbedtls_hmac_drbg_free(&blinding);
  if (fault != 0) return {};
  return bytes_of(r.mpi, curve.bytes) + bytes_of(s.mpi, curve.bytes);
}

}  // namespace tabernetes
