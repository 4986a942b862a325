// What the creator of an object owns, straight from the object: nobody else owns anything yet, so
// that there are no sets of fields to be compared.
#pragma once

#include "json/value.h"
#include "patch/field_set.h"
#include "patch/reset_fields.h"
#include "patch/shape.h"

namespace tabernetes::patch {

// FieldsV1 of what `object` has set that `zero` has not: what compare_typed() says was added or
// modified, but for what `reset` has and the paths of `unowned`. Empty: nothing. Its texts live in
// the arena.
// REQUIRES: the lists of `zero` are empty; `reset` has only whole members of the object; `unowned`
// has only names of fields.
json::Value first_fields(const Shape& shape, const json::Value& zero, const json::Value& object,
                         const ResetFields& reset, const FieldSet& unowned, json::Arena& arena);

}  // namespace tabernetes::patch
