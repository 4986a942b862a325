#include "base/numbers/big_natural.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tabernetes {

BigNatural::BigNatural(std::uint64_t value) {
  for (; value != 0; value >>= 32) push(static_cast<std::uint32_t>(value));
}

void BigNatural::push(std::uint32_t limb) {
  assert(size_ < kLimbs);
  limbs_[size_++] = limb;
}

int BigNatural::bit_length() const {
  return size_ == 0 ? 0 : static_cast<int>(32 * (size_ - 1)) + std::bit_width(limbs_[size_ - 1]);
}

void BigNatural::multiply(std::uint32_t factor, std::uint32_t addend) {
  std::uint64_t carry = addend;
  for (std::size_t i = 0; i < size_; ++i) {
    carry += std::uint64_t{limbs_[i]} * factor;
    limbs_[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0) push(static_cast<std::uint32_t>(carry));
}

void BigNatural::multiply_by_power_of_ten(int exponent) {
  for (; exponent >= 9; exponent -= 9) multiply(1'000'000'000);
  for (; exponent > 0; --exponent) multiply(10);
}

void BigNatural::shift_left(int bits) {
  multiply(1u << (bits % 32));
  const auto limbs = static_cast<std::size_t>(bits / 32);
  if (size_ == 0 || limbs == 0) return;
  assert(size_ + limbs <= kLimbs);
  std::copy_backward(limbs_.begin(), limbs_.begin() + size_, limbs_.begin() + size_ + limbs);
  std::fill_n(limbs_.begin(), limbs, 0);
  size_ += limbs;
}

void BigNatural::add(const BigNatural& other) {
  while (size_ < other.size_) push(0);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    carry += std::uint64_t{limbs_[i]} + (i < other.size_ ? other.limbs_[i] : 0);
    limbs_[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0) push(1);
}

void BigNatural::subtract(const BigNatural& other) {
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const std::uint64_t taken = borrow + (i < other.size_ ? other.limbs_[i] : 0);
    borrow = taken > limbs_[i] ? 1 : 0;
    limbs_[i] -= static_cast<std::uint32_t>(taken);
  }
  assert(borrow == 0);
  while (size_ > 0 && limbs_[size_ - 1] == 0) --size_;
}

int BigNatural::compare(const BigNatural& other) const {
  if (size_ != other.size_) return size_ < other.size_ ? -1 : 1;
  for (std::size_t i = size_; i-- > 0;) {
    if (limbs_[i] != other.limbs_[i]) return limbs_[i] < other.limbs_[i] ? -1 : 1;
  }
  return 0;
}

}  // namespace tabernetes
