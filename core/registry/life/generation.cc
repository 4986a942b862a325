#include "registry/life/generation.h"

#include "json/equality.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::registry {
namespace {

using json::Member;
using json::Value;

bool equal_or_absent(const Value* a, const Value* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return json::deep_equal(*a, *b);
}

bool member_differs(const Value& a, const Value& b, std::string_view name) {
  return !equal_or_absent(a.find(name), b.find(name));
}

bool metadata_differs(const Value& a, const Value& b, std::string_view name) {
  return !equal_or_absent(a.at({"metadata", name}), b.at({"metadata", name}));
}

bool body_differs(const Value& a, const Value& b) {
  for (const Member& member : a.members()) {
    if (member.key != "metadata" && member_differs(a, b, member.key)) return true;
  }
  for (const Member& member : b.members()) {
    if (member.key != "metadata" && a.find(member.key) == nullptr) return true;
  }
  return false;
}

bool counted_part_differs(Generation rule, const Value& a, const Value& b) {
  switch (rule) {
    case Generation::kUnmanaged:
    case Generation::kFixed:
      return false;
    case Generation::kSpec:
    case Generation::kSpecFromZero:
      return member_differs(a, b, "spec");
    case Generation::kSpecOrAnnotations:
      return member_differs(a, b, "spec") || metadata_differs(a, b, "annotations");
    case Generation::kTemplate:
      return member_differs(a, b, "template");
    case Generation::kWebhooks:
      return member_differs(a, b, "webhooks");
    case Generation::kBody:
      return body_differs(a, b);
    case Generation::kEverything:
      return body_differs(a, b) || metadata_differs(a, b, "labels");
  }
  return false;
}

}  // namespace

void start_generation(const Strategy& strategy, Value& object, json::Arena& arena) {
  ObjectMeta meta(object, arena);
  if (strategy.generation == Generation::kUnmanaged) return;
  if (strategy.generation == Generation::kSpecFromZero) {
    meta.erase("generation");
  } else {
    meta.set("generation", std::int64_t{1});
  }
}

bool bump_generation(const Strategy& strategy, Value& object, const Value& old,
                     json::Arena& arena) {
  ObjectMeta meta(object, arena);
  const bool was_there = meta.tree().find("generation") != nullptr;
  meta.take("generation", metadata_of(old));
  if (counted_part_differs(strategy.generation, object, old)) {
    meta.set("generation", meta.generation() + 1);
  }
  return !was_there && meta.tree().find("generation") != nullptr;
}

}  // namespace tabernetes::registry
