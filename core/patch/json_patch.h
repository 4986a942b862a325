// JSON Patch (RFC 6902) as kube-apiserver applies it (evanphx/json-patch v4), its deviations and
// limits included. Source: spec/patch-apply.md, spec/rest.md 6.4.
#pragma once

#include "base/result.h"
#include "json/value.h"

namespace tabernetes::patch {

inline constexpr std::size_t kMaxJsonPatchOperations = 10000;

// Applies the operations in `patch` (a parsed array) to a clone of `target` and returns it.
// Errors: 400 for a patch that does not parse, 413 beyond kMaxJsonPatchOperations, 422 for an
// operation that cannot be applied; texts as the real server's. `target` is never changed.
Result<json::Value> apply_json_patch(const json::Value& target, const json::Value& patch,
                                     json::Arena& arena);

}  // namespace tabernetes::patch
