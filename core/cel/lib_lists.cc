// Functions of lists and maps: CEL's own, its extensions `lists` and `sets`, and kubernetes.lists.
// Source: cel-go 0.26 ext/lists.go, ext/sets.go, ext/comprehensions.go; apiserver 1.36
// pkg/cel/library/lists.go.
#include <vector>

#include "base/algorithm/sort.h"
#include "cel/evaluator.h"

namespace tabernetes::cel {
namespace {

using F = Function;

Value list_failure(std::string_view text) { return make_text(Kind::kError, text); }

// Returns true, false, or an error if items cannot be compared.
Value is_sorted(const Call& call) {
  for (std::uint32_t i = 1; i < list_size(call.args[0]); ++i) {
    int order = 0;
    const std::string_view error = compare(list_item(call.args[0], i - 1, call.arena),
                                           list_item(call.args[0], i, call.arena), order);
    if (!error.empty()) return list_failure(error);
    if (order > 0) return make_bool(false);
  }
  return make_bool(true);
}

Value extreme(const Call& call) {
  const bool max = call.function == F::kMax;
  Value best;
  for (std::uint32_t i = 0; i < list_size(call.args[0]); ++i) {
    const Value item = list_item(call.args[0], i, call.arena);
    if (item.is_error()) return item;
    int order = 0;
    const std::string_view error = i == 0 ? "" : compare(best, item, order);
    if (!error.empty()) return list_failure(error);
    if (i == 0 || (max ? order < 0 : order > 0)) best = item;
  }
  if (list_size(call.args[0]) > 0) return best;
  return list_failure(max ? "max called on empty list" : "min called on empty list");
}

// Returns the sum of an empty list, in the list's declared type.
Value zero(const Call& call) {
  const std::uint64_t fits = call.expr.overloads;
  return (fits & 1) != 0   ? make_int(0)
         : (fits & 2) != 0 ? make_uint(0)
         : (fits & 4) != 0 ? make_double(0)
                           : make_duration(0);
}

Value sum(const Call& call) {
  Value total = zero(call);
  for (std::uint32_t i = 0; i < list_size(call.args[0]); ++i) {
    const Value args[] = {total, list_item(call.args[0], i, call.arena)};
    if (args[1].is_error()) return args[1];
    if (i == 0 && args[1].kind != total.kind) {
      total = args[1];
      continue;
    }
    total = call_operator({F::kAdd, call.expr, args, 2, call.arena});
    if (is_not_mine(total)) return list_failure("no such overload");
    if (total.is_error()) return total;
  }
  return total;
}

Value index_in_list(const Call& call) {
  const bool last = call.function == F::kLastIndexOf;
  const std::uint32_t size = list_size(call.args[0]);
  for (std::uint32_t n = 0; n < size; ++n) {
    const std::uint32_t i = last ? size - 1 - n : n;
    if (is_equal(list_item(call.args[0], i, call.arena), call.args[1], call.arena)) {
      return make_int(i);
    }
  }
  return make_int(-1);
}

Value sorted(const Call& call, const Value& keys) {
  const Value& list = call.args[0];
  const std::uint32_t size = list_size(list);
  if (list_size(keys) != size) {
    return call.error(
        "@sortByAssociatedKeys() expected a list of the same size as the "
        "associated keys list, but got " +
        std::to_string(size) + " and " + std::to_string(list_size(keys)) +
        " elements respectively");
  }
  if (size == 0) return list;
  std::vector<Value> values;
  for (std::uint32_t i = 0; i < size; ++i) {
    values.push_back(list_item(keys, i, call.arena));
    if (values.back().kind != values.front().kind) {
      return list_failure("list elements must have the same type");
    }
    int order = 0;
    if (!compare(values[0], values[0], order).empty() && !values[0].is(Kind::kDouble)) {
      return list_failure("list elements must be comparable");
    }
  }
  const PlaceOrder order{[](const void* of, std::uint32_t a, std::uint32_t b) {
                           const auto& all = *static_cast<const std::vector<Value>*>(of);
                           int result = 0;
                           compare(all[a], all[b], result);
                           return result < 0;
                         },
                         &values};
  const SortedPlaces places(size, order);
  Value made = make_list(call.arena, size);
  for (std::uint32_t i = 0; i < size; ++i) {
    list_append(made, list_item(list, places.size() == 0 ? i : places[i], call.arena), call.arena);
  }
  return made;
}

Value slice(const Call& call) {
  const std::int64_t begin = call.args[1].integer;
  const std::int64_t end = call.args[2].integer;
  const std::uint32_t size = list_size(call.args[0]);
  const std::string what =
      "cannot slice(" + std::to_string(begin) + ", " + std::to_string(end) + "), ";
  if (begin < 0 || end < 0) return call.error(what + "negative indexes not supported");
  if (begin > end) {
    return call.error(what + "start index must be less than or equal to end index");
  }
  if (size < end) return call.error(what + "list is length " + std::to_string(size));
  Value made = make_list(call.arena);
  for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i) {
    list_append(made, list_item(call.args[0], i, call.arena), call.arena);
  }
  return made;
}

void flatten(const Value& list, std::int64_t depth, Value& into, json::Arena& arena) {
  for (std::uint32_t i = 0; i < list_size(list); ++i) {
    const Value item = list_item(list, i, arena);
    if (item.is(Kind::kList) && depth > 0) {
      flatten(item, depth - 1, into, arena);
    } else {
      list_append(into, item, arena);
    }
  }
}

Value reverse(const Call& call) {
  Value made = make_list(call.arena);
  for (std::uint32_t i = list_size(call.args[0]); i-- > 0;) {
    list_append(made, list_item(call.args[0], i, call.arena), call.arena);
  }
  return made;
}

bool contains(const Value& list, const Value& wanted, json::Arena& arena) {
  for (std::uint32_t i = 0; i < list_size(list); ++i) {
    if (is_equal(list_item(list, i, arena), wanted, arena)) return true;
  }
  return false;
}

Value distinct(const Call& call) {
  Value made = make_list(call.arena);
  for (std::uint32_t i = 0; i < list_size(call.args[0]); ++i) {
    const Value item = list_item(call.args[0], i, call.arena);
    if (!contains(made, item, call.arena)) list_append(made, item, call.arena);
  }
  return made;
}

Value range(const Call& call) {
  Value made = make_list(call.arena);
  // A longer range would not fit into memory; the cost limit is far below.
  const std::int64_t end = std::min<std::int64_t>(call.args[0].integer, 2'000'000);
  for (std::int64_t i = 0; i < end; ++i) list_append(made, make_int(i), call.arena);
  return made;
}

bool contains_all(const Value& list, const Value& of, json::Arena& arena) {
  for (std::uint32_t i = 0; i < list_size(of); ++i) {
    if (!contains(list, list_item(of, i, arena), arena)) return false;
  }
  return true;
}

bool intersects(const Value& list, const Value& other, json::Arena& arena) {
  for (std::uint32_t i = 0; i < list_size(list); ++i) {
    if (contains(other, list_item(list, i, arena), arena)) return true;
  }
  return false;
}

Value insert(const Call& call) {
  Value map = call.args[0];
  Value key = call.args[1];
  if (call.count == 3) {
    if (map_insert(map, key, call.args[2], call.arena)) return map;
  } else {
    bool good = true;
    for (std::uint32_t place = 0; good && map_next(call.args[1], place, key, call.arena);) {
      Value value;
      map_find(call.args[1], key, value, call.arena);
      good = map_insert(map, key, value, call.arena);
    }
    if (good) return map;
  }
  std::string shown;
  to_text(key, shown);
  return call.error("insert failed: key " + shown + " already exists");
}

Value end_of(const Call& call, bool last) {
  const std::uint32_t size = list_size(call.args[0]);
  if (size == 0) return make_optional(nullptr);
  return make_optional(list_item(call.args[0], last ? size - 1 : 0, call.arena), call.arena);
}

Value one_list(const Call& call) {
  switch (call.function) {
    case F::kSize:
      return make_int(list_size(call.args[0]));
    case F::kIsSorted:
      return is_sorted(call);
    case F::kSum:
      return sum(call);
    case F::kMax:
    case F::kMin:
      return extreme(call);
    case F::kSort:
      return sorted(call, call.args[0]);
    case F::kReverse:
      return reverse(call);
    case F::kDistinct:
      return distinct(call);
    case F::kFirst:
    case F::kLast:
      return end_of(call, call.function == F::kLast);
    case F::kFlatten: {
      Value made = make_list(call.arena);
      flatten(call.args[0], 1, made, call.arena);
      return made;
    }
    default:
      return not_mine();
  }
}

Value two_lists(const Call& call) {
  const Value& a = call.args[0];
  const Value& b = call.args[1];
  switch (call.function) {
    case F::kSetsContains:
      return make_bool(contains_all(a, b, call.arena));
    case F::kSetsEquivalent:
      return make_bool(contains_all(a, b, call.arena) && contains_all(b, a, call.arena));
    case F::kSetsIntersects:
      return make_bool(intersects(a, b, call.arena));
    case F::kSortByKeys:
      return sorted(call, b);
    default:
      return not_mine();
  }
}

}  // namespace

Value call_list(const Call& call) {
  if (call.is("l")) return one_list(call);
  if (call.is("m") && call.function == F::kSize) return make_int(map_size(call.args[0]));
  if (call.is("ll")) {
    const Value result = two_lists(call);
    if (!is_not_mine(result)) return result;
  }
  switch (call.function) {
    case F::kIndexOf:
    case F::kLastIndexOf:
      return call.is("l?") ? index_in_list(call) : not_mine();
    case F::kSlice:
      return call.is("lii") ? slice(call) : not_mine();
    case F::kListsRange:
      return call.is("i") ? range(call) : not_mine();
    case F::kMapInsert:
      return call.is("m??") || call.is("mm") ? insert(call) : not_mine();
    case F::kFlatten: {
      if (!call.is("li")) return not_mine();
      if (call.args[1].integer < 0) return list_failure("level must be non-negative");
      Value made = make_list(call.arena);
      flatten(call.args[0], call.args[1].integer, made, call.arena);
      return made;
    }
    default:
      return not_mine();
  }
}

}  // namespace tabernetes::cel
