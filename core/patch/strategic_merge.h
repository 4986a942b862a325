// Strategic merge patch, based on the schema. Source: spec/patch-apply.md 5.
#pragma once

#include "base/api/result.h"
#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::patch {

// Merges `patch`, an object without duplicate keys or null, into `live`, an object of the kind
// `type` in canonical form. The result shares unchanged parts with both; neither is changed. Merged
// objects come out with sorted keys. The result may not fit the kind: it must still be decoded.
// Errors: 400 for a patch that is not an object and for malformed directives, 422 for lists of
// lists, 500 for anything else that cannot be merged, as in the real server.
Result<json::Value> apply_strategic_merge(const schema::Type& type, const json::Value& live,
                                          const json::Value& patch, json::Arena& arena);

}  // namespace tabernetes::patch
