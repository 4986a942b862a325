#include "base/rsa.h"

#include <algorithm>
#include <utility>

#include "base/der.h"
#include "base/hash.h"
#include "base/pem.h"

namespace tabernetes {
namespace {

using Number = std::vector<std::uint32_t>;

Number from_bytes(std::string_view bytes) {
  Number number((bytes.size() + 3) / 4);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[bytes.size() - 1 - i]);
    number[i / 4] |= static_cast<std::uint32_t>(byte) << (i % 4 * 8);
  }
  while (!number.empty() && number.back() == 0) number.pop_back();
  return number;
}

std::string to_bytes(const Number& number, std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size && i / 4 < number.size(); ++i) {
    bytes[size - 1 - i] = static_cast<char>(number[i / 4] >> (i % 4 * 8));
  }
  return bytes;
}

std::size_t bit_count(const Number& number) {
  std::size_t bits = number.size() * 32;
  while (bits > 0 && (number[(bits - 1) / 32] >> (bits - 1) % 32 & 1) == 0) --bits;
  return bits;
}

bool bit(const Number& number, std::size_t at) { return (number[at / 32] >> at % 32 & 1) != 0; }

// Of numbers of the same length.
bool less(const Number& a, const Number& b) {
  for (std::size_t i = a.size(); i-- > 0;) {
    if (a[i] != b[i]) return a[i] < b[i];
  }
  return false;
}

// a -= b, of which the borrow that is left is lost.
void subtract(Number& a, const Number& b) {
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint64_t taken = (i < b.size() ? b[i] : 0) + borrow;
    borrow = a[i] < taken ? 1 : 0;
    a[i] = static_cast<std::uint32_t>(a[i] - taken);
  }
}

Number multiply(const Number& a, const Number& b) {
  Number product(a.size() + b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      carry += std::uint64_t{a[i]} * b[j] + product[i + j];
      product[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    product[i + b.size()] = static_cast<std::uint32_t>(carry);
  }
  return product;
}

// a modulo m, bit by bit, as long as m.
Number reduce(const Number& a, const Number& m) {
  Number rest(m.size() + 1);
  Number wide = m;
  wide.push_back(0);
  for (std::size_t i = bit_count(a); i-- > 0;) {
    for (std::size_t j = rest.size(); j-- > 1;) rest[j] = rest[j] << 1 | rest[j - 1] >> 31;
    rest[0] = rest[0] << 1 | (bit(a, i) ? 1 : 0);
    if (!less(rest, wide)) subtract(rest, wide);
  }
  rest.pop_back();
  return rest;
}

// Products modulo an odd number: a * b / 2^(32 * its length).
class Montgomery {
 public:
  explicit Montgomery(const Number& modulus) : m_(modulus) {
    std::uint32_t inverse = 1;  // Newton's method doubles the right bits
    for (int i = 0; i < 5; ++i) inverse *= 2 - m_[0] * inverse;
    factor_ = 0 - inverse;
  }

  Number power(const Number& base, const Number& exponent) const {
    Number one(m_.size() + 1);
    one.back() = 1;
    Number result = reduce(one, m_);
    Number shifted(m_.size());
    shifted.insert(shifted.end(), base.begin(), base.end());
    const Number square_base = reduce(shifted, m_);
    for (std::size_t i = bit_count(exponent); i-- > 0;) {
      result = times(result, result);
      if (bit(exponent, i)) result = times(result, square_base);
    }
    return times(result, {1});
  }

 private:
  Number times(const Number& a, const Number& b) const {
    const std::size_t n = m_.size();
    Number t(n + 2);
    for (std::size_t i = 0; i < n; ++i) {
      add_product(t, b, a[i]);
      add_product(t, m_, t[0] * factor_);
      t.erase(t.begin());
      t.push_back(0);
    }
    Number wide = m_;
    wide.resize(n + 2);
    if (!less(t, wide)) subtract(t, wide);
    t.resize(n);
    return t;
  }

  // t += number * digit
  static void add_product(Number& t, const Number& number, std::uint32_t digit) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < t.size(); ++j) {
      carry += t[j] + (j < number.size() ? std::uint64_t{number[j]} * digit : 0);
      t[j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }

  const Number& m_;
  std::uint32_t factor_;
};

// --- DER, as far as keys need it

std::string tagged(char tag, std::string_view content) {
  std::string out(1, tag);
  const std::size_t size = content.size();
  if (size >= 256) {
    out += '\x82';
    out += static_cast<char>(size >> 8);
  } else if (size >= 128) {
    out += '\x81';
  }
  out += static_cast<char>(size);
  return out.append(content);
}

std::string der_integer(std::string_view bytes) {
  const bool sign = !bytes.empty() && (bytes.front() & 0x80) != 0;
  return tagged('\x02', (sign ? std::string(1, '\0') : std::string()).append(bytes));
}

// The bytes of the first block of that type.
std::optional<std::string> pem_block(std::string_view pem, std::string_view type) {
  while (std::optional<PemBlock> block = take_pem_block(pem)) {
    if (block->type == type) return std::move(block->bytes);
  }
  return std::nullopt;
}

}  // namespace

RsaKey::RsaKey(const Parts& parts)
    : p_(from_bytes(parts.p)),
      q_(from_bytes(parts.q)),
      dp_(from_bytes(parts.dp)),
      dq_(from_bytes(parts.dq)),
      q_inverse_(from_bytes(parts.q_inverse)),
      n_(multiply(p_, q_)) {
  while (!n_.empty() && n_.back() == 0) n_.pop_back();
}

std::optional<RsaKey> RsaKey::parse_pem(std::string_view pem) {
  std::optional<std::string> block = pem_block(pem, "RSA PRIVATE KEY");
  std::string_view bytes;
  if (block) {
    bytes = *block;
  } else {
    block = pem_block(pem, "PRIVATE KEY");
    if (!block) return std::nullopt;
    std::string_view rest = *block;
    auto info = der::take(rest, der::kSequence);
    if (!info || !der::take(*info, der::kInteger) || !der::take(*info, der::kSequence))
      return std::nullopt;
    const auto key = der::take(*info, der::kOctets);
    if (!key) return std::nullopt;
    bytes = *key;
  }
  auto sequence = der::take(bytes, der::kSequence);
  if (!sequence) return std::nullopt;
  // version, modulus, public and private exponent, then what is needed
  std::string_view numbers[9];
  for (std::string_view& number : numbers) {
    const auto integer = der::take(*sequence, der::kInteger);
    if (!integer) return std::nullopt;
    number = *integer;
  }
  if (from_bytes(numbers[2]) != from_bytes(exponent())) return std::nullopt;
  RsaKey key({numbers[4], numbers[5], numbers[6], numbers[7], numbers[8]});
  const std::size_t bits = bit_count(key.n_);
  const bool sound = bits >= 1024 && bits <= 8192 && key.n_ == from_bytes(numbers[1]) &&
                     bit(key.p_, 0) && bit(key.q_, 0);
  if (!sound) return std::nullopt;
  return key;
}

std::string RsaKey::modulus() const { return to_bytes(n_, (bit_count(n_) + 7) / 8); }

std::string RsaKey::public_key_info() const {
  // The algorithm rsaEncryption, without parameters.
  constexpr std::string_view kAlgorithm(
      "\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00", 15);
  const std::string key = tagged('\x30', der_integer(modulus()) + der_integer(exponent()));
  return tagged('\x30', std::string(kAlgorithm) + tagged('\x03', std::string(1, '\0') + key));
}

std::string RsaKey::padded(std::string_view message) const {
  constexpr std::string_view kDigestInfo(
      "\x30\x31\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00\x04\x20", 19);
  const std::string digest = sha256(message);
  const std::size_t size = (bit_count(n_) + 7) / 8;
  std::string block("\x00\x01", 2);
  block.append(size - 3 - kDigestInfo.size() - digest.size(), '\xff');
  block += '\0';
  return block.append(kDigestInfo).append(digest);
}

std::string RsaKey::sign(std::string_view message) const {
  const Number block = from_bytes(padded(message));
  // By the Chinese remainder theorem.
  Number first = Montgomery(p_).power(block, dp_);
  const Number second = Montgomery(q_).power(block, dq_);
  Number difference = reduce(second, p_);
  if (less(first, difference)) {
    // One more p: the carry is lost again when the difference is taken off.
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
      carry += std::uint64_t{first[i]} + p_[i];
      first[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  subtract(first, difference);
  Number signature = multiply(reduce(multiply(first, q_inverse_), p_), q_);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    carry += std::uint64_t{signature[i]} + (i < second.size() ? second[i] : 0);
    signature[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  return to_bytes(signature, (bit_count(n_) + 7) / 8);
}

bool RsaKey::verify(std::string_view message, std::string_view signature) const {
  const std::string expected = padded(message);
  if (signature.size() != expected.size()) return false;
  const Number block = Montgomery(n_).power(from_bytes(signature), from_bytes(exponent()));
  return to_bytes(block, expected.size()) == expected;
}

}  // namespace tabernetes
