// Equality and order of values. Source: cel-go 0.26 common/types; apiserver's unstructured values.
#include <cmath>
#include <string>

#include "base/api/quantity.h"
#include "cel/evaluator.h"
#include "cel/semver.h"
#include "json/equality.h"

namespace tabernetes::cel {
namespace {

bool is_number(const Value& value) {
  return value.is(Kind::kInt) || value.is(Kind::kUint) || value.is(Kind::kDouble);
}

template <class T>
int order_of(T a, T b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

int compare_to_double(const Value& whole, double real) {
  if (whole.is(Kind::kUint)) {
    if (real < 0) return 1;
    if (real >= 18446744073709551616.0) return -1;
    return order_of(static_cast<double>(whole.natural), real);
  }
  if (real < -9223372036854775808.0) return 1;
  if (real >= 9223372036854775808.0) return -1;
  return order_of(static_cast<double>(whole.integer), real);
}

// REQUIRES: neither is NaN.
int compare_numbers(const Value& a, const Value& b) {
  if (a.is(Kind::kDouble) && b.is(Kind::kDouble)) return order_of(a.real, b.real);
  if (b.is(Kind::kDouble)) return compare_to_double(a, b.real);
  if (a.is(Kind::kDouble)) return -compare_to_double(b, a.real);
  if (a.kind == b.kind) {
    return a.is(Kind::kInt) ? order_of(a.integer, b.integer) : order_of(a.natural, b.natural);
  }
  if (a.is(Kind::kUint)) return -compare_numbers(b, a);
  return a.integer < 0 ? -1 : order_of(static_cast<std::uint64_t>(a.integer), b.natural);
}

bool is_nan(const Value& value) { return value.is(Kind::kDouble) && std::isnan(value.real); }

// Compares lists of ListType::kSet, ignoring the order of items.
Value equal_sets(const Value& a, const Value& b, json::Arena& arena) {
  Value known = make_map(arena);
  for (std::uint32_t i = 0; i < a.size; ++i) map_insert(known, list_item(a, i, arena), {}, arena);
  for (std::uint32_t i = 0; i < b.size; ++i) {
    Value found;
    if (!map_find(known, list_item(b, i, arena), found, arena)) return make_bool(false);
  }
  return make_bool(true);
}

// Joins the keys of an item of a list of ListType::kMap into one text.
Value joined_keys(const Value& item, const json::Value& keys, json::Arena& arena) {
  std::string joined;
  for (const json::Value& key : keys.items()) {
    Value value;
    std::string text;
    if (item.is(Kind::kMap) && map_find(item, make_string(key.as_string()), value, arena)) {
      to_text(value, text);
      joined += static_cast<char>('a' + static_cast<int>(value.kind));
    }
    joined += std::to_string(text.size()) + ":" + text;
  }
  return make_string(arena.copy(joined));
}

Value equal_map_lists(const Value& a, const Value& b, json::Arena& arena) {
  Value known = make_map(arena);
  for (std::uint32_t i = 0; i < a.size; ++i) {
    const Value item = list_item(a, i, arena);
    map_insert(known, joined_keys(item, a.type->list_keys, arena), item, arena);
  }
  for (std::uint32_t i = 0; i < b.size; ++i) {
    const Value item = list_item(b, i, arena);
    Value other;
    if (!map_find(known, joined_keys(item, a.type->list_keys, arena), other, arena)) {
      return make_bool(false);
    }
    const Value same = equal(other, item, arena);
    if (!same.is_true()) return same;
  }
  return make_bool(true);
}

Value equal_lists(const Value& a, const Value& b, json::Arena& arena) {
  if (a.size != b.size) return make_bool(false);
  const ListType type = list_type(a);
  if (type == ListType::kSet) return equal_sets(a, b, arena);
  if (type == ListType::kMap && a.type->list_keys.is_array()) return equal_map_lists(a, b, arena);
  for (std::uint32_t i = 0; i < a.size; ++i) {
    const Value same = equal(list_item(a, i, arena), list_item(b, i, arena), arena);
    if (!same.is_true()) return same;
  }
  return make_bool(true);
}

Value equal_maps(const Value& a, const Value& b, json::Arena& arena) {
  if (a.size != b.size) return make_bool(false);
  if (a.tree && b.tree && a.json == b.json) return make_bool(true);
  Value key;
  for (std::uint32_t place = 0; map_next(a, place, key, arena);) {
    Value in_a, in_b;
    const bool has_a = map_find(a, key, in_a, arena);
    if (has_a != map_find(b, key, in_b, arena)) return make_bool(false);
    if (!has_a) continue;
    const Value same = equal(in_a, in_b, arena);
    if (!same.is_true()) return same;
  }
  return make_bool(true);
}

bool equal_opaque(const Value& a, const Value& b) {
  if (a.is(Kind::kIp)) return a.ip->bytes == b.ip->bytes && a.ip->v4 == b.ip->v4;
  if (a.is(Kind::kCidr)) {
    return a.cidr->bits == b.cidr->bits && a.cidr->address.bytes == b.cidr->address.bytes &&
           a.cidr->address.v4 == b.cidr->address.v4;
  }
  if (a.is(Kind::kQuantity)) {
    std::string_view error;
    const auto left = Quantity::parse(a.view(), error);
    const auto right = Quantity::parse(b.view(), error);
    return left && right && left->compare(*right) == 0;
  }
  if (a.is(Kind::kSemver)) return compare_semver(a.view(), b.view()) == 0;
  return a.view() == b.view();
}

}  // namespace

bool equals_scalar(const Value& a, const Value& b) {
  if (is_number(a) && is_number(b)) return !is_nan(a) && !is_nan(b) && compare_numbers(a, b) == 0;
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Kind::kNull:
      return true;
    case Kind::kBool:
      return a.boolean == b.boolean;
    case Kind::kString:
    case Kind::kBytes:
      return a.view() == b.view();
    case Kind::kDuration:
      return a.integer == b.integer;
    case Kind::kTimestamp:
      return a.integer == b.integer && a.size == b.size;
    case Kind::kType:
      return a.type_value->kind == b.type_value->kind;
    default:
      return equal_opaque(a, b);
  }
}

Value equal(const Value& a, const Value& b, json::Arena& arena) {
  if (a.is_error()) return a;
  if (b.is_error()) return b;
  if (a.is(Kind::kNull) || b.is(Kind::kNull)) return make_bool(a.kind == b.kind);
  if (a.is(Kind::kUnknown) || b.is(Kind::kUnknown)) {
    return make_bool(a.kind == b.kind && json::deep_equal(*a.json, *b.json));
  }
  const bool container = a.is(Kind::kList) || a.is(Kind::kMap);
  if (a.kind != b.kind && container && a.tree) return make_error("no such overload", arena);
  if (a.kind != b.kind) return make_bool(equals_scalar(a, b));
  if (a.is(Kind::kList)) return equal_lists(a, b, arena);
  if (a.is(Kind::kMap)) return equal_maps(a, b, arena);
  if (a.is(Kind::kOptional)) {
    if (a.inner == nullptr || b.inner == nullptr) return make_bool(a.inner == b.inner);
    return equal(*a.inner, *b.inner, arena);
  }
  return make_bool(equals_scalar(a, b));
}

Value add_lists(const Value& a, const Value& b, json::Arena& arena) {
  Value sum = a;
  const ListType type = list_type(a);
  const bool keyed = type == ListType::kMap && a.type->list_keys.is_array();
  if (type != ListType::kSet && !keyed) {
    for (std::uint32_t i = 0; i < b.size; ++i) list_append(sum, list_item(b, i, arena), arena);
    return sum;
  }
  // Maps each item to its index in the sum, so that an item of `b` is dropped or replaces its
  // equal.
  Value places = make_map(arena);
  sum = make_list(arena, a.size + b.size);
  sum.type = a.type;
  for (const Value* list : {&a, &b}) {
    for (std::uint32_t i = 0; i < list->size; ++i) {
      const Value item = list_item(*list, i, arena);
      const Value key = keyed ? joined_keys(item, a.type->list_keys, arena) : item;
      Value place;
      if (list == &a || !map_find(places, key, place, arena)) {
        map_insert(places, key, make_int(sum.size), arena);
        list_append(sum, item, arena);
      } else if (keyed) {
        sum.items->data[place.integer] = item;
      }
    }
  }
  return sum;
}

bool is_equal(const Value& a, const Value& b, json::Arena& arena) {
  return equal(a, b, arena).is_true();
}

std::string_view compare(const Value& a, const Value& b, int& order) {
  if (is_number(a) && is_number(b)) {
    if (is_nan(a) || is_nan(b)) return "NaN values cannot be ordered";
    order = compare_numbers(a, b);
    return {};
  }
  if (a.kind != b.kind) return "no such overload";
  switch (a.kind) {
    case Kind::kBool:
      order = order_of<int>(a.boolean, b.boolean);
      return {};
    case Kind::kString:
    case Kind::kBytes:
      order = order_of(a.view().compare(b.view()), 0);
      return {};
    case Kind::kDuration:
      order = order_of(a.integer, b.integer);
      return {};
    case Kind::kTimestamp:
      order = a.integer != b.integer ? order_of(a.integer, b.integer) : order_of(a.size, b.size);
      return {};
    default:
      return "no such overload";
  }
}

}  // namespace tabernetes::cel
