// TaintNodesByCondition: adds the not-ready taint to a new node. Source: upstream 1.36
// plugin/pkg/admission/nodetaint.
//
// The node controller removes the taint from a ready node; without that controller, a node that is
// created ready (the host's own, or from a dump) does not get it.

#include "admission/plugins.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/kind/write_context.h"

namespace tabernetes::admission {
namespace {

using json::Arena;
using json::Value;

constexpr std::string_view kNotReady = "node.kubernetes.io/not-ready";

bool is_ready(const Value& node) {
  for (const Value& condition : items_at(node, {"status", "conditions"})) {
    if (condition.string_at("type") == "Ready") return condition.string_at("status") == "True";
  }
  return false;
}

}  // namespace

Result<void> taint_new_node(const AdmissionRequest& request, PluginState&) {
  if (is_ready(request.object)) return {};
  Arena& arena = request.context.arena;
  Value& spec = object_or_new(request.object, "spec", arena);
  Value taints = Value::array(arena);
  for (const Value& taint : items_in(spec, "taints")) {
    if (taint.string_at("key") == kNotReady && taint.string_at("effect") == "NoSchedule") return {};
    taints.push_back(arena, taint);
  }
  Value taint = Value::object(arena);
  taint.append(arena, "key", Value::string(kNotReady));
  taint.append(arena, "effect", Value::string("NoSchedule"));
  taints.push_back(arena, taint);
  spec.set(arena, "taints", taints);
  return {};
}

}  // namespace tabernetes::admission
