#include "registry/kinds/defaults_devices.h"

#include "base/rfc3339.h"
#include "registry/kinds/fill.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Arena;
using json::Value;

void set_request_defaults(Value& request, Arena& arena) {
  fill_text(request, "allocationMode", "ExactCount", arena);
  if (request.string_at("allocationMode") == "ExactCount") fill_number(request, "count", 1, arena);
  for (Value& toleration : items_in(request, "tolerations")) {
    fill_text(toleration, "operator", "Equal", arena);
  }
}

void set_claim_defaults(Value& object, Arena& arena) {
  const Value* devices = object_in(spec_of(object, arena), "devices");
  if (devices == nullptr) return;
  for (Value& request : items_in(*devices, "requests")) {
    if (Value* exactly = object_in(request, "exactly")) set_request_defaults(*exactly, arena);
    for (Value& choice : items_in(request, "firstAvailable")) set_request_defaults(choice, arena);
  }
}

}  // namespace

void set_resource_claim_defaults(const HookContext& context, Value& object) {
  set_claim_defaults(object, context.arena);
}

void set_resource_claim_template_defaults(const HookContext& context, Value& object) {
  set_claim_defaults(spec_of(object, context.arena), context.arena);
}

void set_resource_slice_defaults(const HookContext& context, Value& object) {
  for (Value& device : items_in(spec_of(object, context.arena), "devices")) {
    for (Value& taint : items_in(device, "taints")) {
      fill(taint, "timeAdded", Value::string(context.arena.copy(format_rfc3339(context.now))),
           context.arena);
    }
  }
}

}  // namespace tabernetes::registry::kinds
