// JSON Merge Patch (RFC 7386).
#pragma once

#include "json/value.h"

namespace tabernetes::patch {

// The result of merging `patch` into `target`, sharing what did not change with `target`.
json::Value apply_merge_patch(const json::Value& target, const json::Value& patch,
                              json::Arena& arena);

}  // namespace tabernetes::patch
