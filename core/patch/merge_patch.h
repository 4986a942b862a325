// JSON Merge Patch (RFC 7386) as kube-apiserver applies it. Source: spec/patch-apply.md 4.
#pragma once

#include "base/api/result.h"
#include "json/value.h"

namespace tabernetes::patch {

// Returns the result of merging `patch` into `target`, sharing unchanged parts with both; merged
// objects come out with sorted keys, as from the real server's maps. Changes neither argument.
// Errors: 400 for a patch that is not an object, with the message of the real server's pre-decode,
// which fieldValidation=Ignore skips.
Result<json::Value> apply_merge_patch(const json::Value& target, const json::Value& patch,
                                      json::Arena& arena);

}  // namespace tabernetes::patch
