#include "registry/kinds/immutable_fields.h"

#include <string>

namespace tabernetes::registry::kinds {
namespace {

using validation::Field;

void keep(std::string_view name, const Field& object, const Field& old) {
  object[name].immutable(old[name]);
}

void keep_in_spec(std::string_view name, const Field& object, const Field& old) {
  const Field spec = object["spec"];
  const Field before = old["spec"];
  keep(name, spec, before);
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
bool same_fixed_members(const Field& a, const Field& b) {
  for (const Field member : a.items()) {
    if (!may_change(member.name()) && !member.same(b[member.name()])) return false;
  }
  return true;
}

}  // namespace

void keep_selector(const Field& object, const Field& old) { keep_in_spec("selector", object, old); }

void keep_stateful_set(const Field& object, const Field& old) {
  const Field now = object["spec"];
  const Field before = old["spec"];
  if (same_fixed_members(now, before) && same_fixed_members(before, now)) return;
  now.forbidden(
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
      "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and "
      "'minReadySeconds' are forbidden");
}

void keep_job(const Field& object, const Field& old) {
  keep_in_spec("selector", object, old);
  keep_in_spec("completionMode", object, old);
}

void keep_revision_data(const Field& object, const Field& old) { keep("data", object, old); }

}  // namespace tabernetes::registry::kinds
