// Cells of PodDisruptionBudget and ResourceQuota. Source: upstream 1.36
// printers/internalversion/printers.go.
#include <string>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/text/parts.h"
#include "json/access.h"
#include "kinds/printers.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/meta/conditions.h"

namespace tabernetes::registry {
namespace {

using json::Value;

std::string scalar_or(const Value* value, std::string_view fallback) {
  return value == nullptr || value->is_null() ? std::string(fallback) : scalar_text(value);
}

// Returns "pods: 1/5, secrets: 0/10": the hard limits with names that begin with "limits.", or the
// others.
std::string quota_text(const Value& quota, bool limits) {
  std::vector<std::string_view> keys;
  for (const json::Member& member : members_at(quota, {"status", "hard"})) {
    if (member.key.starts_with("limits.") == limits) keys.push_back(member.key);
  }
  sort_stable(keys);
  std::vector<std::string> texts;
  texts.reserve(keys.size());
  for (const std::string_view key : keys) {
    texts.push_back(std::string(key) + ": " + scalar_or(quota.at({"status", "used", key}), "0") +
                    "/" + scalar_or(quota.at({"status", "hard", key}), "0"));
  }
  return join(texts, ", ");
}

}  // namespace

void print_pod_disruption_budget(const Value& object, Row& row) {
  row.name(object);
  row.text(scalar_or(object.at({"spec", "minAvailable"}), "N/A"));
  row.text(scalar_or(object.at({"spec", "maxUnavailable"}), "N/A"));
  row.number(number_at(object, {"status", "disruptionsAllowed"}));
  row.age(object);
}

void print_resource_quota(const Value& object, Row& row) {
  row.name(object);
  row.text(quota_text(object, false));
  row.text(quota_text(object, true));
  row.age(object);
}

}  // namespace tabernetes::registry
