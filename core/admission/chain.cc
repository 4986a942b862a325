#include "admission/chain.h"

#include "admission/plugins.h"
#include "registry/life/registry.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::admission {
namespace {

using registry::Plugin;
using registry::Plugins;

struct Row {
  Plugin plugin;
  Result<void> (*mutate)(const AdmissionRequest&) = nullptr;
  Result<void> (*validate)(const AdmissionRequest&) = nullptr;
  // The objects that configure the plugin: it is skipped while none are stored. If unset, it always
  // runs.
  registry::ObjectReader::Resource rules = {};
  bool deletions = false;                                                // also validates deletions
  Result<void> (*judge)(const AdmissionRequest&, PolicySet&) = nullptr;  // validates with policies
};

constexpr registry::ObjectReader::Resource kPolicyBindings = {"admissionregistration.k8s.io", "v1",
                                                              "validatingadmissionpolicybindings"};

// Plugins implemented as hooks of a kind (registry/kinds) check there whether they are enabled.
constexpr Row kRows[] = {
    {Plugin::kLimitRanger, &set_limit_defaults, &check_limits, {"", "v1", "limitranges"}},
    {Plugin::kServiceAccount, &set_service_account},
    {Plugin::kPodSecurity, nullptr, &check_pod_security},
    {Plugin::kPersistentVolumeClaimResize, nullptr, &check_claim_size},
    {Plugin::kValidatingAdmissionPolicy, nullptr, nullptr, kPolicyBindings, true, &check_policies},
    {Plugin::kResourceQuota, nullptr, &check_quotas, {"", "v1", "resourcequotas"}},
};

bool is_at_work(const Row& row, const Plugins& plugins, const AdmissionRequest& request) {
  return plugins.has(row.plugin) &&
         (row.rules.plural.empty() || request.registry.some_object_has(row.rules, ""));
}

}  // namespace

Result<void> Chain::mutate(const Plugins& plugins, const AdmissionRequest& request) const {
  for (const Row& row : kRows) {
    if (row.mutate != nullptr && is_at_work(row, plugins, request)) TAB_CHECK(row.mutate(request));
  }
  return {};
}

Result<void> Chain::validate(const Plugins& plugins, const AdmissionRequest& request) const {
  for (const Row& row : kRows) {
    if (is_deletion(request) && !row.deletions) continue;
    if (!is_at_work(row, plugins, request)) continue;
    if (row.validate != nullptr) TAB_CHECK(row.validate(request));
    if (row.judge != nullptr) TAB_CHECK(row.judge(request, policies_));
  }
  return {};
}

Failure refusal(const AdmissionRequest& request, std::string_view why) {
  const json::Value* meta =
      registry::metadata_of(is_deletion(request) ? *request.old : request.object);
  std::string_view name = meta->string_at("name");
  if (name.empty()) name = meta->string_at("generateName");
  return errors::forbidden(request.type.group_resource(), name.empty() ? "Unknown" : name, why);
}

void for_each_in_namespace(const AdmissionRequest& request, std::string_view plural,
                           const std::function<void(const json::Value&)>& visit) {
  request.registry.each_object_in({"", "v1", plural}, request.ns, request.context.arena, visit);
}

}  // namespace tabernetes::admission
