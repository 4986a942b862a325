#include "patch/merge_list.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/algorithm/sort.h"
#include "json/go_format.h"
#include "patch/directives.h"

namespace tabernetes::patch {
namespace {

using json::Value;

std::string go_format(const ListValues& items) {
  std::string text = "[";
  for (const Value& item : items) {
    if (text.size() > 1) text += ' ';
    text += json::go_format(item);
  }
  return text += ']';
}

// Returns the common type of all items. Errors: as in merge_list(); also if there are no items.
Result<json::Type> item_type(const ListValues& live, const ListValues& patch) {
  std::optional<json::Type> type;
  for (const ListValues* items : {&live, &patch}) {
    for (const Value& item : *items) {
      if (!type) {
        if (item.is_array()) return errors::unprocessable("");  // a list of lists
        if (item.is_null()) return errors::plain_error(std::string(kCrash));
        type = item.type();
      } else if (*type != item.type()) {
        return errors::plain_error("list element types are not identical: [" + go_format(live) +
                                   " " + go_format(patch) + "]");
      }
    }
  }
  if (!type) return errors::plain_error("no elements in any of the given slices");
  return *type;
}

Result<Value> key_of(const Value& item, std::string_view merge_key) {
  if (const Value* key = item.find(merge_key)) return *key;
  return errors::plain_error("map: " + json::go_format(item) +
                             " does not contain declared merge key: " + std::string(merge_key));
}

// Returns the identity of an item: its merge key's value, or the whole value. Returns nullopt for
// an object without the key, which equals no other item.
std::optional<std::string> identity(const Value& item, std::string_view merge_key) {
  const Value* key = &item;
  if (!merge_key.empty() && item.is_object()) key = item.find(merge_key);
  if (key == nullptr) return std::nullopt;
  return std::to_string(static_cast<int>(key->type())) + json::go_format(*key);
}

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

// Maps items to their positions in a list, the first one if items are equal.
class Positions {
 public:
  Positions(const ListValues& items, std::string_view merge_key) : merge_key_(merge_key) {
    for (std::size_t i = 0; i < items.size(); ++i) add(items[i], i);
  }

  void add(const Value& item, std::size_t position) {
    if (auto id = identity(item, merge_key_)) places_.emplace(std::move(*id), position);
  }
  std::size_t of(const Value& item) const {
    const auto id = identity(item, merge_key_);
    const auto place = id ? places_.find(*id) : places_.end();
    return place == places_.end() ? kNowhere : place->second;
  }
  bool has(const Value& item) const { return of(item) != kNowhere; }

 private:
  std::string_view merge_key_;
  std::map<std::string, std::size_t> places_;
};

struct Placed {
  const MergedItem* item;
  std::size_t in_patch, in_live;
};

// Sorts the patch's items in its order and the others in the live order; one of the others precedes
// a patched item if both are in the live list in that order.
Result<MergedItems> in_order(const MergedItems& merged, const ListValues& patch,
                             const ListValues& live, std::string_view merge_key) {
  const Positions patch_places(patch, merge_key), live_places(live, merge_key);
  std::vector<Placed> patched, kept;
  for (const MergedItem& item : merged) {
    if (!merge_key.empty()) TAB_CHECK(key_of(item.value, merge_key));
    const Placed placed{&item, patch_places.of(item.value), live_places.of(item.value)};
    (placed.in_patch == kNowhere ? kept : patched).push_back(placed);
  }
  sort_stable(patched, [](const Placed& a, const Placed& b) { return a.in_patch < b.in_patch; });
  sort_stable(kept, [](const Placed& a, const Placed& b) { return a.in_live < b.in_live; });

  MergedItems ordered;
  auto next_kept = kept.begin();
  for (const Placed& item : patched) {
    for (; next_kept != kept.end() && item.in_live != kNowhere && next_kept->in_live != kNowhere &&
           next_kept->in_live < item.in_live;
         ++next_kept) {
      ordered.push_back(*next_kept->item);
    }
    ordered.push_back(*item.item);
  }
  for (; next_kept != kept.end(); ++next_kept) ordered.push_back(*next_kept->item);
  return ordered;
}

// The lists after processing the directives of a patch.
struct SplitLists {
  ListValues live;   // without items that the patch deletes
  ListValues patch;  // without directives
};

ListValues without(const ListValues& items, const Positions& removed) {
  ListValues left;
  for (const Value& item : items) {
    if (!removed.has(item)) left.push_back(item);
  }
  return left;
}

Result<SplitLists> split_by_directive(const ListValues& live, const ListValues& patch,
                                      std::string_view merge_key) {
  SplitLists split;
  Positions deleted({}, merge_key);
  bool replace = false;
  for (const Value& item : patch) {
    const Value* directive = item.find(kPatchDirective);
    if (directive == nullptr) {
      split.patch.push_back(item);
    } else if (is_text(*directive, "delete")) {
      TAB_CHECK(key_of(item, merge_key));
      deleted.add(item, 0);
    } else if (is_text(*directive, "replace")) {
      replace = true;
    } else if (is_text(*directive, "merge")) {
      return errors::plain_error("merging lists cannot yet be specified in the patch");
    } else {
      return unknown_directive(*directive, item);
    }
  }
  if (replace) return SplitLists{split.patch, {}};
  split.live = without(live, deleted);
  return split;
}

MergedItems as_they_are(const ListValues& items) {
  MergedItems merged;
  for (const Value& item : items) merged.push_back({item, {}});
  return merged;
}

Result<MergedItems> merge_objects(const ListValues& live, const ListValues& patch,
                                  std::string_view merge_key) {
  MergedItems merged = as_they_are(live);
  Positions places(live, merge_key);
  for (const Value& item : patch) {
    TAB_CHECK(key_of(item, merge_key));
    if (const std::size_t place = places.of(item); place != kNowhere) {
      merged[place].patches.push_back(item);
    } else {
      places.add(item, merged.size());
      merged.push_back({item, {}});
    }
  }
  return merged;
}

MergedItems without_repeats(const ListValues& live, const ListValues& patch) {
  MergedItems merged;
  Positions seen({}, {});
  for (const ListValues* items : {&live, &patch}) {
    for (const Value& item : *items) {
      if (seen.has(item)) continue;
      seen.add(item, merged.size());
      merged.push_back({item, {}});
    }
  }
  return merged;
}

Result<MergedItems> merge_object_lists(const ListValues& live, const ListValues& patch,
                                       const PatchField& field) {
  if (field.merge_key.empty()) {
    return errors::plain_error("cannot merge lists without merge key for " +
                               std::string(go_kind(field.type)));
  }
  TAB_TRY(const SplitLists split, split_by_directive(live, patch, field.merge_key));
  TAB_TRY(const MergedItems merged, merge_objects(split.live, split.patch, field.merge_key));
  return in_order(merged, split.patch, split.live, field.merge_key);
}

}  // namespace

namespace {

// Go searches the order for each item and fails at the first entry that is not an object.
Result<void> check_order_keys(const MergedItems& merged, const ListValues& order,
                              std::string_view merge_key) {
  const auto is_object = [](const Value& item) { return item.is_object(); };
  const auto odd = std::find_if_not(order.begin(), order.end(), is_object);
  const auto odd_place = static_cast<std::size_t>(odd - order.begin());
  const Positions places(order, merge_key);
  for (const MergedItem& item : merged) {
    TAB_CHECK(key_of(item.value, merge_key));
    if (odd != order.end() && places.of(item.value) >= odd_place) {
      return errors::plain_error("value for key " + std::to_string(odd_place) + " is not a map");
    }
  }
  for (const Value& item : order) {
    if (!item.is_object()) return unexpected_type("map[string]interface {}", item);
    TAB_CHECK(key_of(item, merge_key));
  }
  return {};
}

}  // namespace

Result<MergedItems> merge_list(const ListValues& live, const ListValues& patch,
                               const PatchField& field) {
  if (live.empty() && patch.empty()) return MergedItems{};
  TAB_TRY(const json::Type type, item_type(live, patch));
  if (type == json::Type::kObject) return merge_object_lists(live, patch, field);
  return in_order(without_repeats(live, patch), patch, live, {});
}

Result<MergedItems> delete_from_list(const ListValues& live, const ListValues& patch,
                                     const PatchField& field) {
  if (live.empty() && patch.empty()) return MergedItems{};
  TAB_TRY(const json::Type type, item_type(live, patch));
  if (type == json::Type::kObject) return merge_object_lists(live, patch, field);
  return as_they_are(without(live, Positions(patch, {})));
}

Result<MergedItems> set_element_order(const MergedItems& merged, const ListValues& order,
                                      const ListValues& live, const ListValues& patch,
                                      const PatchField& field) {
  TAB_TRY(const json::Type type, item_type(live, patch));
  if (type == json::Type::kObject && field.merge_key.empty()) {
    return errors::plain_error(std::string(kCrash));  // comparing uncomparable values
  }
  if (type == json::Type::kObject) TAB_CHECK(check_order_keys(merged, order, field.merge_key));
  return in_order(merged, order, live, field.merge_key);
}

Result<void> check_element_order(const ListValues& patch, const ListValues& order,
                                 std::string_view merge_key) {
  if (patch.empty() || order.empty()) return {};
  auto next = patch.begin();
  auto place = order.begin();
  while (next != patch.end() && place != order.end()) {
    if (next->find(kPatchDirective) != nullptr) {
      ++next;
      continue;
    }
    if (!merge_key.empty()) {
      for (const Value* item : {&*next, &*place}) {
        if (!item->is_object()) {
          return unexpected_type("map[string]interface {}", *item);
        }
        TAB_CHECK(key_of(*item, merge_key));
      }
    }
    if (identity(*next, merge_key) == identity(*place, merge_key)) ++next;
    ++place;
  }
  // Deleted items need not be in the order.
  const auto is_deleted = [](const Value& item) {
    const Value* directive = item.find(kPatchDirective);
    return directive != nullptr && is_text(*directive, "delete");
  };
  if (std::all_of(next, patch.end(), is_deleted)) return {};
  return errors::plain_error("The order in patch list:\n" + go_format(patch) +
                             "\n doesn't match $setElementOrder list:\n" + go_format(order) + "\n");
}

}  // namespace tabernetes::patch
