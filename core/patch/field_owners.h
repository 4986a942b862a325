// Lists the owners of each field of an object: the inverse of metadata.managedFields.
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
  std::string pointer;  // "/spec/containers/0/image"; empty if the object lacks the field
  std::vector<const ManagedFieldsEntry*> owners;  // pointers into `entries`, in their order
};

// Returns every owned field, containers before their content. `shape` is that of the object's kind,
// if known; it determines how list items are identified.
std::vector<OwnedField> owned_fields(const ManagedFields& entries, const json::Value& object,
                                     const std::optional<Shape>& shape);

}  // namespace tabernetes::patch
