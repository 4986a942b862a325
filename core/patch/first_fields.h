// The fields owned by the creator of an object, computed directly from the object: with a single
// owner no field sets need to be compared.
#pragma once

#include "json/value.h"
#include "patch/field_set.h"
#include "patch/reset_fields.h"
#include "patch/shape.h"

namespace tabernetes::patch {

// Returns FieldsV1 of what compare_typed() from `zero` to `object` reports as added or modified,
// without the fields in `reset` and the paths in `unowned`; may be empty. The texts live in the
// arena. REQUIRES: the lists of `zero` are empty; `reset` has only whole members of the object;
// `unowned` has only field names.
json::Value first_fields(const Shape& shape, const json::Value& zero, const json::Value& object,
                         const ResetFields& reset, const FieldSet& unowned, json::Arena& arena);

}  // namespace tabernetes::patch
