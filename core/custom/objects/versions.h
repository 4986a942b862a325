// Conversions of custom objects between the stored version, the storage version and the served
// ones.
#pragma once

#include "custom/objects/custom_kind.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/kind/pending_work.h"
#include "registry/objects/object_record.h"
#include "schema/decode.h"

namespace tabernetes::registry::custom {

// Decodes an object that a client sent as `version`: its metadata like every object's, the rest by
// the schema of the version that it names (which may be rejected later). Strict errors are in
// upstream's order. Nulls that the schema does not allow stay in the result of an apply, which is
// validated with them.
schema::DecodeResult decode(const CustomVersion& version, const json::Value& raw,
                            json::Arena& arena, DecodeFor what);

// Returns a stored object, of whatever version, in `version`. Here and below, webhook conversions
// are requested from `pending`; null: no webhook is called.
json::Value in_served_version(const CustomVersion& version, const json::Value& stored,
                              json::Arena& arena, PendingWork* pending);

// Converts an object of any version of the kind to `version`: by its webhook if there is one and
// `pending` is not null; otherwise changes only apiVersion.
json::Value converted(const CustomVersion& version, const json::Value& object, json::Arena& arena,
                      PendingWork* pending);

}  // namespace tabernetes::registry::custom
