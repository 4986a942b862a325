// Strategic merge patch, driven by the schema. Source: spec/patch-apply.md 5.
#pragma once

#include "base/result.h"
#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::patch {

// The result of merging `patch`, an object without repeated keys or null, into `live`, an object of
// the kind `type` in its normal form. Shares what did not change with both; neither is changed.
// Objects that were merged come out with their keys sorted. The result may hold what the kind does
// not: it is still to be decoded.
// Errors: 400 for a patch that is no object and for directives of a wrong form, 422 for lists of
// lists, 500 for what else cannot be merged, as from the real server.
Result<json::Value> apply_strategic_merge(const schema::Type& type, const json::Value& live,
                                          const json::Value& patch, json::Arena& arena);

}  // namespace tabernetes::patch
