#include "kinds/events/event_conversion.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Member;
using json::Value;

struct Renamed {
  std::string_view core, events;
};

constexpr Renamed kRenamed[] = {
    {"involvedObject", "regarding"},
    {"message", "note"},
    {"source", "deprecatedSource"},
    {"firstTimestamp", "deprecatedFirstTimestamp"},
    {"lastTimestamp", "deprecatedLastTimestamp"},
    {"count", "deprecatedCount"},
    {"reportingComponent", "reportingController"},
};

Value renamed(const Value& object, std::string_view api_version, std::string_view Renamed::*from,
              std::string_view Renamed::*to, json::Arena& arena) {
  Value result = Value::object(arena);
  for (const Member& member : object.members()) {
    std::string_view key = member.key;
    for (const Renamed& name : kRenamed) {
      if (name.*from == key) key = name.*to;
    }
    result.append(arena, key, key == "apiVersion" ? Value::string(api_version) : member.value);
  }
  return result;
}

}  // namespace

Value event_core_to_v1(const Value& stored, json::Arena& arena) {
  return renamed(stored, "events.k8s.io/v1", &Renamed::core, &Renamed::events, arena);
}

Value event_v1_to_core(const Value& object, json::Arena& arena) {
  return renamed(object, "v1", &Renamed::events, &Renamed::core, arena);
}

}  // namespace tabernetes::registry::kinds
