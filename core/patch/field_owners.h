// Whose each field of an object is: metadata.managedFields the other way round.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "json/value.h"
#include "patch/managed_fields.h"
#include "patch/shape.h"

namespace tabernetes::patch {

struct OwnedField {
  std::string path;     // ".spec.containers[name=\"c\"].image"
  std::string pointer;  // "/spec/containers/0/image"; empty: the object does not have the field
  std::vector<const ManagedEntry*> owners;  // of `entries`, in their order
};

// Each field that somebody owns, a container before what is in it. `shape`: that of the object's
// kind, if it is known; it tells how the items of lists are found.
std::vector<OwnedField> owned_fields(const ManagedFields& entries, const json::Value& object,
                                     const std::optional<Shape>& shape);

}  // namespace tabernetes::patch
