// Amounts with a suffix: "500m", "1Gi", "1e3" (resource.Quantity).
//
// A quantity is a decimal number of any length and one of three notations. Its canonical text has
// no fraction, the largest suffix that loses nothing, and the notation it was read with. Text that
// is nearly canonical stays as it was read, as upstream keeps it.
// Source: spec/defaults-validation.md 1; apimachinery 1.36 pkg/api/resource.
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

  // Reads `text` (white space around it is not cut off); nothing if it is none, with one of
  // Go's three error texts in `error`.
  static std::optional<Quantity> parse(std::string_view text, std::string_view& error);

  // The canonical text.
  std::string to_string() const;

  bool is_zero() const { return digits_.empty(); }
  int sign() const { return is_zero() ? 0 : negative_ ? -1 : 1; }
  Notation notation() const { return notation_; }

  // -1, 0, 1.
  int compare(const Quantity& other) const;
  // The value rounded up to whole ones, capped to int64.
  std::int64_t value() const { return scaled_value(0); }
  // The value rounded up to thousandths, in thousandths, capped to int64.
  std::int64_t milli_value() const { return scaled_value(-3); }
  // Rounds away from zero to a multiple of 10^`exponent`; forgets the text it was read with if
  // that changes anything.
  void round_up(int exponent);
  // Adds `other`; a zero takes over the other's notation.
  void add(const Quantity& other);
  void negate();

 private:
  std::int64_t scaled_value(int exponent) const;
  void normalise();  // no zeros at either end of digits_
  void multiply_by_1024(int times);
  // The canonical text of a non-zero value in powers of ten or of 1024.
  std::string decimal_text(Notation notation) const;
  std::string binary_text() const;

  // The value is digits_ * 10^exponent_; no digits: zero.
  std::string digits_;
  std::int32_t exponent_ = 0;
  bool negative_ = false;
  Notation notation_ = Notation::kDecimalSi;
  std::string text_;  // as read, where that is to stay; else empty
};

// The canonical text of `text`: `text` itself where it is canonical already, otherwise put into
// `storage`. Nothing if it is no quantity, with the error's text in `error`.
std::optional<std::string_view> canonical_quantity(std::string_view text, std::string& storage,
                                                   std::string_view& error);

}  // namespace tabernetes
