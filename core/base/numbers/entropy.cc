#include "base/numbers/entropy.h"

#include "base/text/ascii.h"

namespace tabernetes {
namespace {

constexpr std::string_view kSuffixAlphabet = "bcdfghjklmnpqrstvwxz2456789";

// SplitMix64 (Steele, Lea and Flood): a 64-bit counter with a constant step, mixed. The same on
// every host.
constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;

std::uint64_t mix(std::uint64_t state) {
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void append_hex(std::string& out, std::uint64_t value, int digits) {
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
    out += kHexDigits[(value >> shift) & 15];
  }
}

}  // namespace

std::uint64_t Entropy::next() {
  if (!source_) return mix(state_ += kStep);
  unsigned char bytes[8] = {};
  source_(bytes, sizeof bytes);
  std::uint64_t value = 0;
  for (const unsigned char byte : bytes) value = value << 8 | byte;
  return value;
}

std::uint64_t Entropy::below(std::uint64_t bound) {
  // Rejects the first `surplus` of the 2^64 numbers so that the rest divides evenly.
  const std::uint64_t surplus = (0 - bound) % bound;
  std::uint64_t value = next();
  while (value < surplus) value = next();
  return value % bound;
}

std::uint64_t split_mix_at(std::uint64_t seed, std::uint64_t index) {
  return mix(seed + (index + 1) * kStep);
}

std::string format_uid(std::uint64_t high, std::uint64_t low) {
  std::string uid;
  uid.reserve(36);
  append_hex(uid, high >> 32, 8);
  uid += '-';
  append_hex(uid, high >> 16 & 0xffff, 4);
  uid += '-';
  append_hex(uid, (high & 0x0fff) | 0x4000, 4);  // version 4: random
  uid += '-';
  append_hex(uid, (low >> 48 & 0x3fff) | 0x8000, 4);  // variant of RFC 9562
  uid += '-';
  append_hex(uid, low & 0xffff'ffff'ffff, 12);
  return uid;
}

std::string make_uid(Entropy& entropy) {
  const std::uint64_t high = entropy.next();
  return format_uid(high, entropy.next());
}

std::string make_name_suffix(Entropy& entropy, int count) {
  std::string suffix;
  for (int i = 0; i < count; ++i) suffix += kSuffixAlphabet[entropy.below(kSuffixAlphabet.size())];
  return suffix;
}

}  // namespace tabernetes
