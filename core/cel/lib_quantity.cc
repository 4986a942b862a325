// Quantities, represented by their texts. Source: apiserver 1.36 pkg/cel/library/quantity.go.
#include "base/api/quantity.h"
#include "base/numbers/parse_float.h"
#include "cel/evaluator.h"

namespace tabernetes::cel {
namespace {

using F = Function;

// REQUIRES: `text` has been validated.
Quantity quantity(std::string_view text) {
  std::string_view error;
  return Quantity::parse(text, error).value_or(Quantity());
}

Value made(const Call& call, const Quantity& quantity) {
  return make_text(Kind::kQuantity, call.arena.copy(quantity.to_string()));
}

bool is_whole(const Quantity& quantity) {
  // Fits into an int64 without loss.
  const Quantity whole = Quantity::of(quantity.value());
  return whole.compare(quantity) == 0;
}

double to_double(const Quantity& quantity) {
  if (is_whole(quantity)) return static_cast<double>(quantity.value());
  const std::string text = quantity.to_string();
  const std::size_t digits = std::min(text.find_first_not_of("+-0123456789."), text.size());
  double value = parse_float(text.substr(0, digits)).value_or(0);
  const std::string suffix = text.substr(digits);
  constexpr std::string_view kSuffixes = "numkMGTPE";
  if (suffix.size() > 1 && suffix[0] == 'e') return parse_float(text).value_or(0);
  const std::size_t at = suffix.empty() ? 3 : kSuffixes.find(suffix[0] == 'K' ? 'k' : suffix[0]);
  const double step = suffix.size() == 2 ? 1024 : 1000;
  int power = suffix.empty() ? 0 : at < 3 ? static_cast<int>(at) - 3 : static_cast<int>(at) - 2;
  for (; power > 0; --power) value *= step;
  for (; power < 0; ++power) value /= step;
  return value;
}

Value one(const Call& call) {
  const Quantity value = quantity(call.text(0));
  switch (call.function) {
    case F::kSign:
      return make_int(value.sign());
    case F::kIsInteger:
      return make_bool(is_whole(value));
    case F::kAsInteger:
      if (is_whole(value)) return make_int(value.value());
      return call.error("cannot convert value to integer");
    case F::kAsApproximateFloat:
      return make_double(to_double(value));
    default:
      return not_mine();
  }
}

Value two(const Call& call) {
  Quantity a = quantity(call.text(0));
  Quantity b = call.args[1].is(Kind::kInt)
                   ? Quantity::of(call.args[1].integer, Quantity::Notation::kDecimalExponent)
                   : quantity(call.text(1));
  switch (call.function) {
    case F::kSub:
      b.negate();
      [[fallthrough]];
    case F::kAddMethod:
      a.add(b);
      return made(call, a);
    case F::kCompareTo:
      return make_int(a.compare(b));
    case F::kIsGreaterThan:
      return make_bool(a.compare(b) > 0);
    case F::kIsLessThan:
      return make_bool(a.compare(b) < 0);
    default:
      return not_mine();
  }
}

}  // namespace

Value call_quantity(const Call& call) {
  if (call.is("Q")) return one(call);
  const bool with_int = call.function == F::kAddMethod || call.function == F::kSub;
  if (call.is("QQ") || (with_int && call.is("Qi"))) return two(call);
  if (!call.is("s")) return not_mine();
  if (call.function != F::kQuantity && call.function != F::kIsQuantity) return not_mine();
  std::string_view error;
  const bool good = Quantity::parse(call.text(0), error).has_value();
  if (call.function == F::kIsQuantity) return make_bool(good);
  return good ? make_text(Kind::kQuantity, call.text(0)) : call.error(error);
}

}  // namespace tabernetes::cel
