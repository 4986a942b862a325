#include "registry/kinds/immutable_fields.h"

#include <initializer_list>
#include <string>

#include "base/go_text.h"
#include "codec/json_writer.h"
#include "json/equality.h"

namespace tabernetes::registry::kinds {
namespace {

using field::Path;
using json::Value;

bool same(const Value* a, const Value* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return json::deep_equal(*a, *b);
}

std::string printed(const Value* value) {
  if (value == nullptr) return "null";
  if (value->is_string()) return go_quote(value->as_string());
  std::string text;
  codec::write_json(*value, text);
  return text;
}

void keep(std::initializer_list<std::string_view> path, const Value& object, const Value& old,
          field::ErrorList& errors) {
  const Value* now = object.at(path);
  if (same(now, old.at(path))) return;
  Path name;
  for (const std::string_view part : path) name = name.child(part);
  errors.push_back(field::invalid(name, printed(now), "field is immutable"));
}

constexpr std::string_view kStatefulSetMayChange[] = {"replicas",
                                                      "ordinals",
                                                      "template",
                                                      "updateStrategy",
                                                      "minReadySeconds",
                                                      "revisionHistoryLimit",
                                                      "persistentVolumeClaimRetentionPolicy"};

bool may_change(std::string_view field) {
  for (const std::string_view name : kStatefulSetMayChange) {
    if (name == field) return true;
  }
  return false;
}

// Whether every fixed member of `a` is the same in `b`.
bool same_fixed_members(const Value& a, const Value& b) {
  for (const json::Member& member : a.members()) {
    if (!may_change(member.key) && !same(&member.value, b.find(member.key))) return false;
  }
  return true;
}

}  // namespace

void keep_selector(const Value& object, const Value& old, field::ErrorList& errors) {
  keep({"spec", "selector"}, object, old, errors);
}

void keep_stateful_set(const Value& object, const Value& old, field::ErrorList& errors) {
  const Value* now = object.find("spec");
  const Value* before = old.find("spec");
  if (now == nullptr || before == nullptr) return;
  if (same_fixed_members(*now, *before) && same_fixed_members(*before, *now)) return;
  errors.push_back(field::forbidden(
      Path("spec"),
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
      "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and "
      "'minReadySeconds' are forbidden"));
}

void keep_job(const Value& object, const Value& old, field::ErrorList& errors) {
  keep({"spec", "selector"}, object, old, errors);
  keep({"spec", "completionMode"}, object, old, errors);
}

void keep_revision_data(const Value& object, const Value& old, field::ErrorList& errors) {
  keep({"data"}, object, old, errors);
}

void keep_role_reference(const Value& object, const Value& old, field::ErrorList& errors) {
  const Value* now = object.find("roleRef");
  if (now == nullptr || same(now, old.find("roleRef"))) return;
  // Printed as the internal type, whose members have no JSON names.
  const std::string text = R"({"APIGroup":)" + go_quote(now->string_at("apiGroup")) +
                           R"(,"Kind":)" + go_quote(now->string_at("kind")) + R"(,"Name":)" +
                           go_quote(now->string_at("name")) + "}";
  errors.push_back(field::invalid(Path("roleRef"), text, "cannot change roleRef"));
}

void keep_priority(const Value& object, const Value& old, field::ErrorList& errors) {
  if (!same(object.find("value"), old.find("value"))) {
    errors.push_back(field::forbidden(Path("value"), "may not be changed in an update."));
  }
  keep({"preemptionPolicy"}, object, old, errors);
}

void keep_ingress_controller(const Value& object, const Value& old, field::ErrorList& errors) {
  keep({"spec", "controller"}, object, old, errors);
}

}  // namespace tabernetes::registry::kinds
