// ResourceQuota: checks that created objects fit into the namespace's quotas, and records the usage
// in the quotas' status. Source: upstream 1.36
// apiserver/pkg/admission/plugin/resourcequota/controller.go.

#include <string>
#include <vector>

#include "admission/plugins.h"
#include "admission/quota_usage.h"
#include "admission/request.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/life/registry.h"
#include "registry/life/write.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using registry::Operation;
using registry::Subresource;

constexpr std::string_view kQuotas = "resourcequotas";

// Returns whether the write can change the usage.
bool handles(const AdmissionRequest& request) {
  const std::string_view plural =
      request.type.resource->group.empty() ? request.type.resource->plural : "";
  if (!request.type.resource->namespaced) return false;
  if (request.operation == Operation::kCreate) {
    return request.context.subresource.empty() && plural != "bindings";
  }
  if (plural == "services" || plural == "persistentvolumeclaims") {
    return request.subresource == Subresource::kNone;
  }
  if (plural != "pods") return false;
  if (request.subresource == Subresource::kResize) return true;
  const auto ends = [](const Value& pod) {
    return pod.at({"spec", "activeDeadlineSeconds"}) != nullptr;
  };
  return request.subresource == Subresource::kNone && ends(request.object) != ends(*request.old);
}

// Returns the amounts of `hard` that apply to the resource.
ResourceList measured(const AdmissionRequest& request, const Value& quota) {
  ResourceList found;
  const ResourceList hard(quota.at({"status", "hard"}));
  for (const auto& [name, amount] : hard.entries()) {
    if (measures(request.type, name)) found.set(name, amount);
  }
  return found;
}

std::string names_of(const ResourceList& list) {
  std::string text;
  for (const auto& [name, amount] : list.entries()) text += (text.empty() ? "" : ",") + name;
  return text;
}

std::string printed(const ResourceList& list) {
  std::string text;
  for (const auto& [name, amount] : list.entries()) {
    text += (text.empty() ? "" : ",") + name + "=" + amount.to_string();
  }
  return text;
}

// Checks that the quota can be charged. Errors: 403.
Result<void> check_quota(const AdmissionRequest& request, const Value& quota,
                         const ResourceList& hard) {
  const std::string name(text_at(quota, {"metadata", "name"}));
  if (request.type.resource->kind == "Pod") {
    const std::string missing = missing_requests(request.object, hard);
    if (!missing.empty()) {
      return refusal(request, "failed quota: " + name + ": must specify " + missing);
    }
  }
  const ResourceList used(quota.at({"status", "used"}));
  for (const auto& [resource, amount] : hard.entries()) {
    if (used.find(resource) != nullptr) continue;
    return refusal(request, "status unknown for quota: " + name + ", resources: " + names_of(hard));
  }
  return {};
}

// Returns the increase of `usage` over `before` for amounts in `hard`, without zeros.
ResourceList growth(const ResourceList& usage, const ResourceList& before,
                    const ResourceList& hard) {
  ResourceList grown;
  for (const auto& [name, amount] : usage.entries()) {
    if (hard.find(name) == nullptr) continue;
    Quantity more = amount;
    if (const Quantity* old = before.find(name)) {
      Quantity less = *old;
      less.negate();
      more.add(less);
    }
    if (more.sign() > 0) grown.set(name, more);
  }
  return grown;
}

// Errors: 403 if the request exceeds the quota.
Result<void> check_fit(const AdmissionRequest& request, const Value& quota,
                       const ResourceList& requested, const ResourceList& hard) {
  const ResourceList used(quota.at({"status", "used"}));
  ResourceList failed_request, failed_used, failed_hard;
  for (const auto& [name, amount] : requested.entries()) {
    Quantity sum = *used.find(name);
    sum.add(amount);
    if (sum.compare(*hard.find(name)) <= 0) continue;
    failed_request.set(name, amount);
    failed_used.set(name, *used.find(name));
    failed_hard.set(name, *hard.find(name));
  }
  if (failed_request.empty()) return {};
  return refusal(request, "exceeded quota: " + std::string(text_at(quota, {"metadata", "name"})) +
                              ", requested: " + printed(failed_request) + ", used: " +
                              printed(failed_used) + ", limited: " + printed(failed_hard));
}

Result<void> book(const AdmissionRequest& request, const Value& quota,
                  const ResourceList& requested) {
  json::Arena& arena = request.context.arena;
  const registry::ObjectRef ref{request.registry.resources().find("", "v1", kQuotas), request.ns,
                                text_at(quota, {"metadata", "name"})};
  const auto charged = [&](const Value* stored) -> Result<Value> {
    Value object = stored->clone(arena);
    Value& used = object_or_new(*object.find("status"), "used", arena);
    ResourceList sum(&used);
    sum.add(requested);
    for (const auto& [name, amount] : requested.entries()) {
      used.set(arena, arena.copy(name), Value::string(arena.copy(sum.find(name)->to_string())));
    }
    return object;
  };
  TAB_TRY(const registry::Updated updated,
          request.registry.update(registry::server_context(request.context, "status"), ref,
                                  Subresource::kStatus, charged));
  return {};
}

struct Charge {
  Value quota;
  ResourceList requested;
};

}  // namespace

Result<void> check_quotas(const AdmissionRequest& request, PluginState&) {
  if (!handles(request)) return {};
  std::vector<Value> quotas;
  for_each_in_namespace(request, kQuotas, [&](const Value& quota) {
    // Cloned, since charging replaces the record that its strings are views of.
    quotas.push_back(quota.clone(request.context.arena));
  });
  if (quotas.empty()) return {};
  const Time now = request.context.now;
  const ResourceList usage = quota_usage(request.type, request.object, now);
  ResourceList before;
  if (request.old != nullptr) before = quota_usage(request.type, *request.old, now);
  // Checks all quotas before charging any.
  std::vector<Charge> charges;
  for (const Value& quota : quotas) {
    const ResourceList hard = measured(request, quota);
    if (hard.empty() || !matches_scopes(request.type, quota, request.object)) continue;
    TAB_CHECK(check_quota(request, quota, hard));
    const bool counted =
        request.old != nullptr && matches_scopes(request.type, quota, *request.old);
    charges.push_back({quota, growth(usage, counted ? before : ResourceList(), hard)});
  }
  for (const Charge& charge : charges) {
    TAB_CHECK(check_fit(request, charge.quota, charge.requested, measured(request, charge.quota)));
  }
  if (request.context.dry_run) return {};
  TAB_CHECK(registry::check_answers(request.context, request.type, request.object));
  for (const Charge& charge : charges) {
    if (!charge.requested.empty()) TAB_CHECK(book(request, charge.quota, charge.requested));
  }
  return {};
}

}  // namespace tabernetes::admission
