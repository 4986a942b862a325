// Natural numbers of up to 5,000 bits, for exact conversion of floating-point numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tabernetes {

class BigNatural {
 public:
  // Capacity: 5,000 bits. REQUIRES: no result is larger.
  static constexpr std::size_t kLimbs = 160;

  explicit BigNatural(std::uint64_t value = 0);

  int bit_length() const;
  void multiply(std::uint32_t factor, std::uint32_t addend = 0);
  void multiply_by_power_of_ten(int exponent);
  void shift_left(int bits);
  void add(const BigNatural& other);
  // REQUIRES: other <= *this.
  void subtract(const BigNatural& other);
  // Returns a negative number, zero or a positive number.
  int compare(const BigNatural& other) const;

 private:
  void push(std::uint32_t limb);

  std::array<std::uint32_t, kLimbs> limbs_;  // lowest first
  std::size_t size_ = 0;                     // of those in use; the highest is not zero
};

}  // namespace tabernetes
