#include "base/crypto/verification_key.h"

#include <utility>

#include "base/crypto/der.h"
#include "base/crypto/octets.h"
#include "base/crypto/pem.h"
#include "mbedtls/ecdsa.h"
#include "mbedtls/ecp.h"
#include "mbedtls/md.h"
#include "mbedtls/pk.h"
#include "mbedtls/rsa.h"

namespace tabernetes {
namespace {

constexpr std::size_t kLeastRsaBits = 1024, kMostRsaBits = 8192;

struct JwtAlgorithm {
  enum class Kind { kPkcs1, kPss, kEcdsa };
  std::string_view name;
  Kind kind;
  mbedtls_md_type_t digest;
  mbedtls_ecp_group_id curve;  // kEcdsa
  std::string_view curve_name;
};

constexpr JwtAlgorithm kAlgorithms[] = {
    {"RS256", JwtAlgorithm::Kind::kPkcs1, MBEDTLS_MD_SHA256, MBEDTLS_ECP_DP_NONE, {}},
    {"RS384", JwtAlgorithm::Kind::kPkcs1, MBEDTLS_MD_SHA384, MBEDTLS_ECP_DP_NONE, {}},
    {"RS512", JwtAlgorithm::Kind::kPkcs1, MBEDTLS_MD_SHA512, MBEDTLS_ECP_DP_NONE, {}},
    {"PS256", JwtAlgorithm::Kind::kPss, MBEDTLS_MD_SHA256, MBEDTLS_ECP_DP_NONE, {}},
    {"PS384", JwtAlgorithm::Kind::kPss, MBEDTLS_MD_SHA384, MBEDTLS_ECP_DP_NONE, {}},
    {"PS512", JwtAlgorithm::Kind::kPss, MBEDTLS_MD_SHA512, MBEDTLS_ECP_DP_NONE, {}},
    {"ES256", JwtAlgorithm::Kind::kEcdsa, MBEDTLS_MD_SHA256, MBEDTLS_ECP_DP_SECP256R1, "P-256"},
    {"ES384", JwtAlgorithm::Kind::kEcdsa, MBEDTLS_MD_SHA384, MBEDTLS_ECP_DP_SECP384R1, "P-384"},
    {"ES512", JwtAlgorithm::Kind::kEcdsa, MBEDTLS_MD_SHA512, MBEDTLS_ECP_DP_SECP521R1, "P-521"},
};

struct PublicKey {
  PublicKey() { mbedtls_pk_init(&pk); }
  ~PublicKey() { mbedtls_pk_free(&pk); }
  PublicKey(const PublicKey&) = delete;
  PublicKey& operator=(const PublicKey&) = delete;

  // Returns the SubjectPublicKeyInfo; empty for a key that is not usable.
  std::string info() const {
    const std::size_t bits = mbedtls_pk_get_bitlen(&pk);
    const bool rsa = mbedtls_pk_get_type(&pk) == MBEDTLS_PK_RSA;
    if (rsa ? bits < kLeastRsaBits || bits > kMostRsaBits
            : mbedtls_pk_get_type(&pk) != MBEDTLS_PK_ECKEY) {
      return {};
    }
    std::string buffer(2 * kMostRsaBits / 8, '\0');
    const int size = mbedtls_pk_write_pubkey_der(&pk, octets(buffer), buffer.size());
    if (size <= 0) return {};
    return buffer.substr(buffer.size() - static_cast<std::size_t>(size));
  }

  mbedtls_pk_context pk;
};

// Returns the SubjectPublicKeyInfo of a certificate; empty if it is malformed.
std::string_view public_key_in(std::string_view certificate) {
  const auto all = der::take(certificate, der::kSequence);
  if (!all) return {};
  std::string_view rest = *all;
  const auto signed_part = der::take(rest, der::kSequence);
  if (!signed_part) return {};
  rest = *signed_part;
  constexpr unsigned char kVersion = 0xa0;
  if (der::comes(rest, kVersion)) der::take_any(rest);
  // The serial number, the algorithm, the issuer, the validity and the subject come before.
  for (int i = 0; i < 5; ++i) {
    if (!der::take_any(rest)) return {};
  }
  const auto key = der::take_any(rest);
  return key ? key->whole : std::string_view();
}

bool verify_rsa(mbedtls_rsa_context& rsa, const JwtAlgorithm& algorithm, std::string_view digest,
                std::string_view signature) {
  if (signature.size() != mbedtls_rsa_get_len(&rsa)) return false;
  const auto size = static_cast<unsigned>(digest.size());
  if (algorithm.kind == JwtAlgorithm::Kind::kPkcs1) {
    return mbedtls_rsa_pkcs1_verify(&rsa, algorithm.digest, size, octets(digest),
                                    octets(signature)) == 0;
  }
  return mbedtls_rsa_rsassa_pss_verify(&rsa, algorithm.digest, size, octets(digest),
                                       octets(signature)) == 0;
}

bool verify_point(mbedtls_ecp_keypair& pair, const JwtAlgorithm& algorithm, std::string_view digest,
                  std::string_view signature) {
  const std::size_t bytes = (pair.private_grp.pbits + 7) / 8;
  if (pair.private_grp.id != algorithm.curve || signature.size() != 2 * bytes) return false;
  mbedtls_mpi r, s;
  mbedtls_mpi_init(&r);
  mbedtls_mpi_init(&s);
  const bool good = mbedtls_mpi_read_binary(&r, octets(signature), bytes) == 0 &&
                    mbedtls_mpi_read_binary(&s, octets(signature) + bytes, bytes) == 0 &&
                    mbedtls_ecdsa_verify(&pair.private_grp, octets(digest), digest.size(),
                                         &pair.private_Q, &r, &s) == 0;
  mbedtls_mpi_free(&r);
  mbedtls_mpi_free(&s);
  return good;
}

}  // namespace

std::vector<VerificationKey> VerificationKey::parse_pem(std::string_view pem) {
  std::vector<VerificationKey> keys;
  while (const auto block = take_pem_block(pem)) {
    PublicKey key;
    std::string_view der = block->bytes;
    if (block->type == "CERTIFICATE") der = public_key_in(der);
    if (block->type.ends_with("PRIVATE KEY")) {
      if (mbedtls_pk_parse_key(&key.pk, octets(der), der.size(), nullptr, 0, nullptr, nullptr) != 0)
        continue;
    } else if (block->type.ends_with("PUBLIC KEY") || block->type == "CERTIFICATE") {
      if (mbedtls_pk_parse_public_key(&key.pk, octets(der), der.size()) != 0) continue;
    }
    if (std::string info = key.info(); !info.empty())
      keys.push_back(VerificationKey(std::move(info)));
  }
  return keys;
}

std::optional<VerificationKey> VerificationKey::of_rsa(std::string_view modulus,
                                                       std::string_view exponent) {
  PublicKey key;
  if (mbedtls_pk_setup(&key.pk, mbedtls_pk_info_from_type(MBEDTLS_PK_RSA)) != 0)
    return std::nullopt;
  mbedtls_rsa_context* rsa = mbedtls_pk_rsa(key.pk);
  if (mbedtls_rsa_import_raw(rsa, octets(modulus), modulus.size(), nullptr, 0, nullptr, 0, nullptr,
                             0, octets(exponent), exponent.size()) != 0 ||
      mbedtls_rsa_complete(rsa) != 0 || mbedtls_rsa_check_pubkey(rsa) != 0) {
    return std::nullopt;
  }
  std::string info = key.info();
  if (info.empty()) return std::nullopt;
  return VerificationKey(std::move(info));
}

std::optional<VerificationKey> VerificationKey::of_point(std::string_view curve, std::string_view x,
                                                         std::string_view y) {
  const JwtAlgorithm* algorithm = nullptr;
  for (const JwtAlgorithm& each : kAlgorithms) {
    if (!curve.empty() && each.curve_name == curve) algorithm = &each;
  }
  PublicKey key;
  if (algorithm == nullptr ||
      mbedtls_pk_setup(&key.pk, mbedtls_pk_info_from_type(MBEDTLS_PK_ECKEY)) != 0) {
    return std::nullopt;
  }
  mbedtls_ecp_keypair& pair = *mbedtls_pk_ec(key.pk);
  if (mbedtls_ecp_group_load(&pair.private_grp, algorithm->curve) != 0) return std::nullopt;
  const std::size_t bytes = (pair.private_grp.pbits + 7) / 8;
  if (x.size() != bytes || y.size() != bytes) return std::nullopt;
  const std::string point = "\x04" + std::string(x) + std::string(y);
  if (mbedtls_ecp_point_read_binary(&pair.private_grp, &pair.private_Q,
                                    octets(std::string_view(point)), point.size()) != 0 ||
      mbedtls_ecp_check_pubkey(&pair.private_grp, &pair.private_Q) != 0) {
    return std::nullopt;
  }
  std::string info = key.info();
  if (info.empty()) return std::nullopt;
  return VerificationKey(std::move(info));
}

bool VerificationKey::verify(std::string_view algorithm, std::string_view message,
                             std::string_view signature) const {
  const JwtAlgorithm* known = nullptr;
  for (const JwtAlgorithm& each : kAlgorithms) {
    if (each.name == algorithm) known = &each;
  }
  if (known == nullptr) return false;
  PublicKey key;  // own, as mbedTLS keeps intermediate results in it
  if (mbedtls_pk_parse_public_key(&key.pk, octets(std::string_view(info_)), info_.size()) != 0) {
    return false;
  }
  const mbedtls_md_info_t* info = mbedtls_md_info_from_type(known->digest);
  std::string digest(mbedtls_md_get_size(info), '\0');
  if (mbedtls_md(info, octets(message), message.size(), octets(digest)) != 0) return false;
  const bool rsa = mbedtls_pk_get_type(&key.pk) == MBEDTLS_PK_RSA;
  if (rsa != (known->kind != JwtAlgorithm::Kind::kEcdsa)) return false;
  return rsa ? verify_rsa(*mbedtls_pk_rsa(key.pk), *known, digest, signature)
             : verify_point(*mbedtls_pk_ec(key.pk), *known, digest, signature);
}

}  // namespace tabernetes
