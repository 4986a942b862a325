// DefaultTolerationSeconds: pods tolerate unready and unreachable nodes for five minutes. Source:
// upstream 1.36 plugin/pkg/admission/defaulttolerationseconds.

#include "admission/plugins.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/kind/write_context.h"

namespace tabernetes::admission {
namespace {

using json::Arena;
using json::Value;

constexpr std::int64_t kSeconds = 300;

// Returns true if the pod tolerates the taint with effect NoExecute.
bool tolerates(const Value& spec, std::string_view taint) {
  for (const Value& toleration : items_in(spec, "tolerations")) {
    const std::string_view key = toleration.string_at("key");
    const std::string_view effect = toleration.string_at("effect");
    if ((key.empty() || key == taint) && (effect.empty() || effect == "NoExecute")) return true;
  }
  return false;
}

}  // namespace

Result<void> tolerate_node_failures(const AdmissionRequest& request, PluginState&) {
  static constexpr std::string_view kTaints[] = {"node.kubernetes.io/not-ready",
                                                 "node.kubernetes.io/unreachable"};
  Arena& arena = request.context.arena;
  Value& spec = object_or_new(request.object, "spec", arena);
  const bool missing[] = {!tolerates(spec, kTaints[0]), !tolerates(spec, kTaints[1])};
  if (!missing[0] && !missing[1]) return {};
  Value tolerations = Value::array(arena);
  for (const Value& given : items_in(spec, "tolerations")) tolerations.push_back(arena, given);
  for (std::size_t i = 0; i < 2; ++i) {
    if (!missing[i]) continue;
    Value toleration = Value::object(arena);
    toleration.append(arena, "key", Value::string(kTaints[i]));
    toleration.append(arena, "operator", Value::string("Exists"));
    toleration.append(arena, "effect", Value::string("NoExecute"));
    toleration.append(arena, "tolerationSeconds", Value::integer(kSeconds));
    tolerations.push_back(arena, toleration);
  }
  spec.set(arena, "tolerations", tolerations);
  return {};
}

}  // namespace tabernetes::admission
