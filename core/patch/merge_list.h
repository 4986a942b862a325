// Merges lists for strategic merge patches: combines and orders the items. Items present on both
// sides are left for the caller to merge. Source: spec/patch-apply.md 5.4 to 5.6.
#pragma once

#include <string_view>
#include <vector>

#include "base/api/result.h"
#include "json/value.h"
#include "patch/patch_schema.h"

namespace tabernetes::patch {

using ListValues = std::vector<json::Value>;

// An item of the result, and the patches to merge into it, in order.
struct MergedItem {
  json::Value value;
  std::vector<json::Value> patches;
};
using MergedItems = std::vector<MergedItem>;

// Merges the lists, in the order of 5.5. Errors: 500 for items that do not go together, lack the
// merge key or have an unknown directive; 422 for lists of lists.
Result<MergedItems> merge_list(const ListValues& live, const ListValues& patch,
                               const PatchField& field);

// Returns `live` without the values in `patch`; lists of objects are merged as by merge_list().
Result<MergedItems> delete_from_list(const ListValues& live, const ListValues& patch,
                                     const PatchField& field);

// Sorts `merged` into the order requested with $setElementOrder. `live` and `patch` are the lists
// it was merged from.
Result<MergedItems> set_element_order(const MergedItems& merged, const ListValues& order,
                                      const ListValues& live, const ListValues& patch,
                                      const PatchField& field);

// Errors: 500 if the patch's items are not an ordered subset of `order`.
Result<void> check_element_order(const ListValues& patch, const ListValues& order,
                                 std::string_view merge_key);

}  // namespace tabernetes::patch
