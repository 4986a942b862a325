// JSON Patch (RFC 6902) as kube-apiserver applies it (evanphx/json-patch v4), including its
// deviations and limits. Source: spec/patch-apply.md 3, spec/rest.md 6.4.
#pragma once

#include <string>
#include <vector>

#include "base/api/result.h"
#include "json/value.h"

namespace tabernetes::patch {

inline constexpr std::size_t kMaxJsonPatchOperations = 10000;
// Of all `copy` operations together.
inline constexpr std::size_t kMaxJsonPatchCopyBytes = 3 * 1024 * 1024;

// Whether the operations' members are type-checked first; not with fieldValidation=Ignore.
enum class OperationTypes { kChecked, kUnchecked };

// Applies the operations in `patch` (a parsed array; null has no operations) to a clone of `target`
// and returns it. Objects on the path of an operation come out with sorted keys, as from the real
// server's maps. Errors: 400 for a patch that does not parse, 413 beyond kMaxJsonPatchOperations,
// 422 for an operation that cannot be applied, 500 where the real server crashes. `target` is never
// changed. Sets `why` (null: not wanted) to
// the library's words if an operation cannot be applied.
Result<json::Value> apply_json_patch(const json::Value& target, const json::Value& patch,
                                     json::Arena& arena,
                                     OperationTypes types = OperationTypes::kChecked,
                                     std::string* why = nullptr);

// Returns the complaints of fieldValidation: `json patch unknown field "[0].zz"`, `json patch
// duplicate field "[0].op"`, in document order, without duplicates, at most 100.
std::vector<std::string> json_patch_strict_errors(const json::Value& patch);

}  // namespace tabernetes::patch
