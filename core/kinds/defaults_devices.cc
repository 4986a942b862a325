#include "kinds/defaults_devices.h"

#include "base/time/rfc3339.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Arena;
using json::Value;

}  // namespace

void set_resource_slice_defaults(const HookContext& context, Value& object) {
  for (Value& device : items_in(object_or_new(object, "spec", context.arena), "devices")) {
    for (Value& taint : items_in(device, "taints")) {
      fill(taint, "timeAdded", Value::string(context.arena.copy(format_rfc3339(context.now))),
           context.arena);
    }
  }
}

}  // namespace tabernetes::registry::kinds
