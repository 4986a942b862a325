// The owner that controls an object: the one of its ownerReferences that says so.
#pragma once

#include "json/access.h"
#include "json/value.h"

namespace tabernetes::controllers {

// Returns the reference to the object's controller, or null.
inline const json::Value* controller_of(const json::Value& object) {
  for (const json::Value& owner : items_at(object, {"metadata", "ownerReferences"})) {
    if (bool_at(owner, {"controller"})) return &owner;
  }
  return nullptr;
}

}  // namespace tabernetes::controllers
