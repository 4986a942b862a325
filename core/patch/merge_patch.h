// JSON Merge Patch (RFC 7386) as kube-apiserver applies it. Source: spec/patch-apply.md 4.
#pragma once

#include "base/result.h"
#include "json/value.h"

namespace tabernetes::patch {

// The result of merging `patch` into `target`, sharing what did not change with both; objects that
// were merged come out with their keys sorted, as from the real server's maps. Neither is changed.
// Errors: 400 for a patch that is no object, in the words of the pre-decode that the real server
// does except under fieldValidation=Ignore.
Result<json::Value> apply_merge_patch(const json::Value& target, const json::Value& patch,
                                      json::Arena& arena);

}  // namespace tabernetes::patch
