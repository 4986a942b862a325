// Amounts with a suffix: "500m", "1Gi", "1e3" (resource.Quantity).
//
// A quantity is a decimal number of any length and one of three notations. Its canonical text has
// no fraction, uses the largest suffix that is lossless, and keeps the notation it was read with.
// Text that is nearly canonical is kept as read, as upstream does. Source:
// spec/defaults-validation.md 1; apimachinery 1.36 pkg/api/resource.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tabernetes {

class Quantity {
 public:
  enum class Notation : std::uint8_t { kDecimalExponent, kBinarySi, kDecimalSi };

  // Zero, printed "0".
  Quantity() = default;
  static Quantity of(std::int64_t value, Notation notation = Notation::kDecimalSi);

  // Parses `text`, which may not have surrounding white space. Returns nullopt if it is not a
  // quantity, with one of Go's three error messages in `error`.
  static std::optional<Quantity> parse(std::string_view text, std::string_view& error);

  // Returns the canonical text.
  std::string to_string() const;

  bool is_zero() const { return digits_.empty(); }
  int sign() const { return is_zero() ? 0 : negative_ ? -1 : 1; }
  Notation notation() const { return notation_; }

  // Returns -1, 0 or 1.
  int compare(const Quantity& other) const;
  // Returns the value rounded up to an integer, capped to int64.
  std::int64_t value() const { return scaled_value(0); }
  // Returns the value in thousandths, rounded up, capped to int64.
  std::int64_t milli_value() const { return scaled_value(-3); }
  // Rounds away from zero to a multiple of 10^`exponent`; drops the text as read if that changes
  // the value.
  void round_up(int exponent);
  // Adds `other`; a zero takes on the other's notation.
  void add(const Quantity& other);
  void negate();

 private:
  std::int64_t scaled_value(int exponent) const;
  void normalise();  // removes zeros at both ends of digits_
  void multiply_by_1024(int times);
  // Return the canonical text of a non-zero value in powers of ten or of 1024.
  std::string decimal_text(Notation notation) const;
  std::string binary_text() const;

  // The value is digits_ * 10^exponent_; empty digits are zero.
  std::string digits_;
  std::int32_t exponent_ = 0;
  bool negative_ = false;
  Notation notation_ = Notation::kDecimalSi;
  std::string text_;  // as read, if that must be kept; otherwise empty
};

// Returns the canonical text of `text`: `text` itself if it is canonical, otherwise a view of
// `storage`. Returns nullopt if it is not a quantity, with the message in `error`.
std::optional<std::string_view> canonical_quantity(std::string_view text, std::string& storage,
                                                   std::string_view& error);

}  // namespace tabernetes
