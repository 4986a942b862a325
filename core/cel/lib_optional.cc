// Optional values. Source: cel-go 0.26 cel/library.go.
#include "cel/evaluator.h"

namespace tabernetes::cel {
namespace {

using F = Function;

bool is_zero(const Value& value) {
  switch (value.kind) {
    case Kind::kNull:
      return true;
    case Kind::kBool:
      return !value.boolean;
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDuration:
      return value.integer == 0;
    case Kind::kDouble:
      return value.real == 0;
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kList:
    case Kind::kMap:
      return value.size == 0;
    case Kind::kTimestamp:
      return value.integer == kFirstSecond && value.size == 0;
    case Kind::kOptional:
      return value.inner == nullptr;
    default:
      return false;
  }
}

Value unwrapped(const Call& call) {
  Value made = make_list(call.arena);
  for (std::uint32_t i = 0; i < list_size(call.args[0]); ++i) {
    const Value item = list_item(call.args[0], i, call.arena);
    if (!item.is(Kind::kOptional)) {
      std::string shown;
      to_text(item, shown);
      return call.error("value " + shown + " is not optional");
    }
    if (item.inner != nullptr) list_append(made, *item.inner, call.arena);
  }
  return made;
}

}  // namespace

Value call_optional(const Call& call) {
  switch (call.function) {
    case F::kOptionalNone:
      return make_optional(nullptr);
    case F::kOptionalOf:
      return make_optional(call.args[0], call.arena);
    case F::kOptionalOfNonZero:
      return is_zero(call.args[0]) ? make_optional(nullptr)
                                   : make_optional(call.args[0], call.arena);
    case F::kHasValue:
      return call.is("o") ? make_bool(call.args[0].inner != nullptr) : not_mine();
    case F::kValue:
      if (!call.is("o")) return not_mine();
      if (call.args[0].inner != nullptr) return *call.args[0].inner;
      return make_text(Kind::kError, "optional.none() dereference");
    case F::kOptionalUnwrap:
    case F::kUnwrapOpt:
      return call.is("l") ? unwrapped(call) : not_mine();
    default:
      return not_mine();
  }
}

}  // namespace tabernetes::cel
