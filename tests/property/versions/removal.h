// The effect of a DELETE on an object, by the rules of graceful deletion and finalizers.
#pragma once

#include <cstdint>
#include <optional>

#include "object.h"

namespace tabernetes::property {

struct Removal {
  bool marked = false;  // a version exists in which it is terminating, or has less time than before
  bool gone = false;
};

inline Removal removal_of(const Object& object, std::optional<std::int64_t> grace) {
  const bool held = !object.finalizers.empty();
  if (!object.kind->graceful) return {.marked = held && !object.terminating, .gone = !held};
  if (!object.terminating) {
    const bool runs = object.fields.at("status.phase") != "Succeeded";
    const std::int64_t seconds = runs ? grace.value_or(30) : 0;
    return {.marked = true, .gone = seconds == 0 && !held};
  }
  if (object.grace_seconds == 0) return {.marked = false, .gone = !held};
  if (!grace || *grace >= object.grace_seconds) return {};
  return {.marked = true, .gone = *grace == 0 && !held};
}

}  // namespace tabernetes::property
