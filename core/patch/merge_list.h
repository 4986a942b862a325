// The lists of a strategic merge patch: which of the patch's items go where, and in what order all
// come out. Items that both sides have are left to be merged by the caller.
// Source: spec/patch-apply.md 5.4 to 5.6.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "patch/patch_schema.h"

namespace tabernetes::patch {

using ListValues = std::vector<json::Value>;

// An item of the result, and what is to be merged into it, in this order.
struct MergedItem {
  json::Value value;
  std::vector<json::Value> patches;
};
using MergedItems = std::vector<MergedItem>;

// The lists are merged, in the order of 5.5. Errors: 500 for items that do not go together, that
// lack the merge key or have an unknown directive; 422 for lists of lists.
Result<MergedItems> merge_list(const ListValues& live, const ListValues& patch,
                               const PatchField& field);

// `live` without the values that are in `patch`; lists of objects are merged as by merge_list().
Result<MergedItems> delete_from_list(const ListValues& live, const ListValues& patch,
                                     const PatchField& field);

// Puts `merged` into the order that the patch asks for with $setElementOrder. `live`, `patch`: the
// lists that it came from.
Result<MergedItems> set_element_order(const MergedItems& merged, const ListValues& order,
                                      const ListValues& live, const ListValues& patch,
                                      const PatchField& field);

// Errors: 500 if the patch's items are no ordered part of `order`.
Result<void> check_element_order(const ListValues& patch, const ListValues& order,
                                 std::string_view merge_key);

}  // namespace tabernetes::patch
