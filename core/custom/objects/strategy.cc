#include "custom/objects/strategy.h"

#include <set>
#include <string>

#include "base/go/text.h"
#include "json/access.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;

std::set<std::string_view> finalizers_of(const Value& object) {
  std::set<std::string_view> names;
  for (const Value& name : items_at(object, {"metadata", "finalizers"})) {
    names.insert(name.as_string());
  }
  return names;
}

}  // namespace

void finalizer_warnings(const Value& object, const Value* old, Warnings& out) {
  std::set<std::string_view> before;
  if (old != nullptr) before = finalizers_of(*old);
  for (const std::string_view name : finalizers_of(object)) {
    if (before.contains(name) || name.find('/') != std::string_view::npos) continue;
    if (name == "kubernetes" || name == "orphan" || name == "foregroundDeletion") continue;
    const bool has_domain = name.find('.') != std::string_view::npos;
    out.add({"metadata.finalizers: ", go_quote(name), ": prefer a domain-qualified finalizer name ",
             has_domain ? "including a path (/) " : "",
             "to avoid accidental conflicts with other finalizer writers"});
  }
}

const Strategy& strategy() {
  static constexpr Strategy kCustom{.generation = Generation::kBody,
                                    .allow_unconditional_update = false,
                                    .status_keeps_metadata = true,
                                    .status_metadata = "resourceVersion"};
  return kCustom;
}

}  // namespace tabernetes::registry::custom
