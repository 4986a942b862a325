// Conversion of Events: events.k8s.io/v1 has other names for the fields of the core group.
#pragma once

#include "json/value.h"

namespace tabernetes::registry::kinds {

json::Value event_core_to_v1(const json::Value& stored, json::Arena& arena);
json::Value event_v1_to_core(const json::Value& object, json::Arena& arena);

}  // namespace tabernetes::registry::kinds
