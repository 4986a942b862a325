// ResourceQuota.
// Source: upstream 1.36 pkg/apis/core/validation.
#include <string>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/api/quantity.h"
#include "base/text/parts.h"
#include "json/access.h"
#include "json/equality.h"
#include "kinds/row/kind.h"
#include "kinds/shared/cells.h"
#include "kinds/shared/resource_names.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"
#include "rules/internal_form.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kResourceQuotaRules, R"(
spec
 hard{} @quota-amount
 @quota-scopes
 scopeSelector given @scope-selector
on update
 spec.scopes @same-scopes
on status
 status.hard{} @quota-amount
 status.used{} @quota-amount
)");

namespace {

using json::Value;

void quota_amount(const Place& place) {
  const std::string_view name = place.now.name();
  check_resource_name(place.now, name);
  if (name.find('/') == std::string_view::npos && !is_standard_quota_resource(name)) {
    place.now.invalid_string(name, "must be a standard resource for quota");
  }
  check_resource_amount(place.now, name);
}

constexpr std::string_view kScopes =
    "Terminating,NotTerminating,BestEffort,NotBestEffort,PriorityClass,VolumeAttributesClass,"
    "CrossNamespacePodAffinity";

// Returns true if a scope applies to a resource.
bool applies(std::string_view scope, std::string_view resource) {
  const bool claim = listed("persistentvolumeclaims,requests.storage", resource);
  if (scope == "VolumeAttributesClass") return claim;
  if (scope == "BestEffort") return resource == "pods";
  if (!listed(kScopes, scope)) return true;
  return resource == "pods" ||
         listed("cpu,memory,limits.cpu,limits.memory,requests.cpu,requests.memory", resource);
}

void all_apply(const Field& spec, std::string_view scope, const Field& shown,
               std::string_view printed) {
  const Field hard = spec["hard"];
  if (hard.empty()) return;
  for (const Field item : hard.items()) {
    if (is_standard_quota_resource(item.name()) && !applies(scope, item.name())) {
      shown.invalid_printed(printed, "unsupported scope applied to resource");
    }
  }
}

void check_conflicts(const Field& shown, std::string_view printed,
                     const std::vector<std::string_view>& scopes) {
  const auto has = [&](std::string_view wanted) {
    for (const std::string_view scope : scopes) {
      if (scope == wanted) return true;
    }
    return false;
  };
  if (has("BestEffort") && has("NotBestEffort"))
    shown.invalid_printed(printed, "conflicting scopes");
  if (has("Terminating") && has("NotTerminating"))
    shown.invalid_printed(printed, "conflicting scopes");
}

void quota_scopes(const Place& place) {
  const Field list = place.now["scopes"];
  std::vector<std::string_view> scopes;
  for (const Field scope : list.items()) {
    if (!listed(kScopes, scope.text())) list.invalid("unsupported scope");
    all_apply(place.now, scope.text(), list, list.printed());
    scopes.push_back(scope.text());
  }
  check_conflicts(list, list.present() ? list.printed() : "null", scopes);
}

void scope_selector(const Place& place) {
  const Field list = place.now["matchExpressions"];
  const Field spec(*place.root->find("spec"), list.errors());
  std::vector<std::string_view> scopes;
  for (const Field item : list.items()) {
    const Field scope = list.as("scopeName", item["scopeName"]);
    const Field op = list.as("operator", item["operator"]);
    const Field values = list.as("values", item["values"]);
    if (!listed(kScopes, scope.text())) scope.invalid("unsupported scope");
    all_apply(spec, scope.text(), list, print_internal(place.now, "core.v1.ScopeSelector"));
    if (listed("BestEffort,NotBestEffort,Terminating,NotTerminating,CrossNamespacePodAffinity",
               scope.text()) &&
        !op.is("Exists")) {
      op.invalid(
          "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, "
          "ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, "
          "ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity");
    }
    if (listed("In,NotIn", op.text())) {
      if (values.empty()) {
        values.required(
            "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
      }
    } else if (listed("Exists,DoesNotExist", op.text())) {
      if (!values.empty()) {
        values.invalid(
            "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
      }
    } else {
      op.invalid("not a valid selector operator");
    }
    scopes.push_back(scope.text());
  }
  const Field plain = spec["scopes"];
  check_conflicts(list, plain.present() ? plain.printed() : "null", scopes);
}

void same_scopes(const Place& place) {
  const auto within = [](const Value* a, const Value* b) {
    if (a == nullptr) return true;
    for (const Value& item : a->items()) {
      bool found = false;
      if (b != nullptr) {
        for (const Value& other : b->items()) found = found || json::deep_equal(item, other);
      }
      if (!found) return false;
    }
    return true;
  };
  if (within(place.now.value(), place.old) && within(place.old, place.now.value())) return;
  place.now.invalid_printed(place.now.present() ? place.now.printed() : "null", field::kImmutable);
}

void warn_of_resource_quota(const Field& object, const Value* old, Warnings& out) {
  if (old != nullptr) return;
  const Field spec = object["spec"];
  const Field hard = spec["hard"];
  for (const std::string_view name : {"cpu", "memory", "storage", "ephemeral-storage"}) {
    std::string request = "requests." + std::string(name);
    const std::string limit = "limits." + std::string(name);
    if (hard.find(request) == nullptr && name.size() < 7) request = name;
    std::string_view error;
    const auto asked = Quantity::parse(hard.text_at(request), error);
    const auto most = Quantity::parse(hard.text_at(limit), error);
    if (!asked || !most || asked->compare(*most) <= 0) continue;
    out.add({"ResourceQuota ", request, " (", asked->to_string(), ") should be less than ", limit,
             " (", most->to_string(), ")"});
  }
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

void print_resource_quota(const Value& object, Row& row) {
  row.name(object);
  row.text(quota_text(object, false));
  row.text(quota_text(object, true));
  row.age(object);
}

}  // namespace

extern const NamedCheck kResourceQuotaChecks[] = {
    {"quota-amount", &quota_amount},
    {"quota-scopes", &quota_scopes},
    {"scope-selector", &scope_selector},
    {"same-scopes", &same_scopes},
};

extern const Kind kResourceQuotaKind{.group = "",
                                     .kind = "ResourceQuota",
                                     .strategy = {.meta_passes = {"CF", "UF", "UF"},
                                                  .returns_deleted_object = true,
                                                  .warnings = &warn_of_resource_quota},
                                     .rules = &kResourceQuotaRules,
                                     .print = &print_resource_quota};

}  // namespace tabernetes::registry::kinds
