// JSON Patch (RFC 6902) as kube-apiserver applies it (evanphx/json-patch v4), its deviations and
// limits included. Source: spec/patch-apply.md 3, spec/rest.md 6.4.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace tabernetes::patch {

inline constexpr std::size_t kMaxJsonPatchOperations = 10000;
inline constexpr std::size_t kMaxJsonPatchCopyBytes = 3 * 1024 * 1024;  // of all `copy` together

// Whether the operations' members are checked before they are used; fieldValidation=Ignore does
// without.
enum class OperationTypes { kChecked, kUnchecked };

// Applies the operations in `patch` (a parsed array; null is one without operations) to a clone of
// `target` and returns it. Objects on the way of an operation come out with their keys sorted, as
// from the real server's maps.
// Errors: 400 for a patch that does not parse, 413 beyond kMaxJsonPatchOperations, 422 for an
// operation that cannot be applied, 500 where the real server crashes. `target` is never changed.
Result<json::Value> apply_json_patch(const json::Value& target, const json::Value& patch,
                                     json::Arena& arena,
                                     OperationTypes types = OperationTypes::kChecked);

// What fieldValidation complains about in a patch: `json patch unknown field "[0].zz"`,
// `json patch duplicate field "[0].op"`, in document order, each once, at most 100.
std::vector<std::string> json_patch_strict_errors(const json::Value& patch);

}  // namespace tabernetes::patch
