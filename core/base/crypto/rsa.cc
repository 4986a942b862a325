#include "base/crypto/rsa.h"

#include <utility>

#include "base/crypto/hash.h"
#include "base/crypto/octets.h"
#include "mbedtls/hmac_drbg.h"
#include "mbedtls/pk.h"
#include "mbedtls/rsa.h"

namespace tabernetes {
namespace {

constexpr std::size_t kShortest = 1024, kLongest = 8192;  // bits

// The random numbers with which mbedTLS blinds private-key operations against timing attacks. They
// are derived from the secret; the result does not depend on them.
class Blinding {
 public:
  explicit Blinding(std::string_view secret) {
    mbedtls_hmac_drbg_init(&generator_);
    mbedtls_hmac_drbg_seed_buf(&generator_, mbedtls_md_info_from_type(MBEDTLS_MD_SHA256),
                               octets(secret), secret.size());
  }
  ~Blinding() { mbedtls_hmac_drbg_free(&generator_); }
  Blinding(const Blinding&) = delete;
  Blinding& operator=(const Blinding&) = delete;

  mbedtls_hmac_drbg_context* generator() { return &generator_; }

 private:
  mbedtls_hmac_drbg_context generator_;
};

struct RsaContext {
  RsaContext() { mbedtls_rsa_init(&rsa); }
  ~RsaContext() { mbedtls_rsa_free(&rsa); }
  RsaContext(const RsaContext&) = delete;
  RsaContext& operator=(const RsaContext&) = delete;

  mbedtls_rsa_context rsa;
};

std::string bytes_of(const mbedtls_mpi& number) {
  std::string bytes(mbedtls_mpi_size(&number), '\0');
  mbedtls_mpi_write_binary(&number, octets(bytes), bytes.size());
  return bytes;
}

}  // namespace

struct RsaKey::State {
  State() { mbedtls_pk_init(&pk); }
  ~State() { mbedtls_pk_free(&pk); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // Only for reading: the key is shared between threads.
  mbedtls_rsa_context* rsa() const { return mbedtls_pk_rsa(pk); }
  bool prepare();

  mbedtls_pk_context pk;
  std::string secret;  // the private exponent
};

namespace {

enum class Part { kModulus, kSecret, kExponent };

std::string exported(const mbedtls_rsa_context* rsa, Part part) {
  mbedtls_mpi number;
  mbedtls_mpi_init(&number);
  mbedtls_rsa_export(rsa, part == Part::kModulus ? &number : nullptr, nullptr, nullptr,
                     part == Part::kSecret ? &number : nullptr,
                     part == Part::kExponent ? &number : nullptr);
  std::string bytes = bytes_of(number);
  mbedtls_mpi_free(&number);
  return bytes;
}

// Signs with `rsa`, which it modifies; returns an empty string if the key is unusable.
std::string sign_with(mbedtls_rsa_context& rsa, std::string_view secret, std::string_view message) {
  const std::string digest = sha256(message);
  Blinding blinding(std::string(secret) + digest);
  std::string signature(mbedtls_rsa_get_len(&rsa), '\0');
  const int fault = mbedtls_rsa_pkcs1_sign(&rsa, mbedtls_hmac_drbg_random, blinding.generator(),
                                           MBEDTLS_MD_SHA256, static_cast<unsigned>(digest.size()),
                                           octets(digest), octets(signature));
  return fault == 0 ? signature : std::string();
}

}  // namespace

// Signs once, which shows that the numbers are usable and makes mbedTLS cache in the context all
// that it computes on first use.
bool RsaKey::State::prepare() {
  if (mbedtls_pk_get_type(&pk) != MBEDTLS_PK_RSA) return false;
  const std::size_t bits = mbedtls_pk_get_bitlen(&pk);
  if (bits < kShortest || bits > kLongest) return false;
  if (mbedtls_rsa_check_privkey(rsa()) != 0) return false;
  secret = exported(rsa(), Part::kSecret);
  return !sign_with(*rsa(), secret, {}).empty();
}

RsaKey::RsaKey(std::unique_ptr<State> state) : state_(std::move(state)) {}
RsaKey::RsaKey(RsaKey&&) noexcept = default;
RsaKey& RsaKey::operator=(RsaKey&&) noexcept = default;
RsaKey::~RsaKey() = default;

std::optional<RsaKey> RsaKey::parse_pem(std::string_view pem) {
  auto state = std::make_unique<State>();
  const std::string text(pem);  // mbedTLS recognises PEM by the terminating zero
  const int fault = mbedtls_pk_parse_key(&state->pk, octets(std::string_view(text)),
                                         text.size() + 1, nullptr, 0, nullptr, nullptr);
  if (fault != 0 || !state->prepare()) return std::nullopt;
  return RsaKey(std::move(state));
}

std::string RsaKey::sign(std::string_view message) const {
  RsaContext own;
  if (mbedtls_rsa_copy(&own.rsa, state_->rsa()) != 0) return {};
  return sign_with(own.rsa, state_->secret, message);
}

bool RsaKey::verify(std::string_view message, std::string_view signature) const {
  if (signature.size() != mbedtls_rsa_get_len(state_->rsa())) return false;
  const std::string digest = sha256(message);
  return mbedtls_rsa_pkcs1_verify(state_->rsa(), MBEDTLS_MD_SHA256,
                                  static_cast<unsigned>(digest.size()), octets(digest),
                                  octets(signature)) == 0;
}

std::string RsaKey::modulus() const { return exported(state_->rsa(), Part::kModulus); }
std::string RsaKey::exponent() const { return exported(state_->rsa(), Part::kExponent); }

std::string RsaKey::public_key_info() const {
  std::string buffer(2 * kLongest / 8, '\0');
  const int size = mbedtls_pk_write_pubkey_der(&state_->pk, octets(buffer), buffer.size());
  return size > 0 ? buffer.substr(buffer.size() - static_cast<std::size_t>(size)) : std::string();
}

}  // namespace tabernetes
