#include "admission/chain.h"

#include "admission/plugins.h"
#include "registry/object_meta.h"
#include "registry/registry.h"

namespace tabernetes::admission {
namespace {

using registry::Plugin;
using registry::Plugins;

struct Row {
  Plugin plugin;
  Result<void> (*mutate)(const AdmissionRequest&) = nullptr;
  Result<void> (*validate)(const AdmissionRequest&) = nullptr;
  bool deletions = false;  // are validated too
};

// Those that are always at work beside a kind's own hooks (registry/kinds) are asked there.
constexpr Row kRows[] = {
    {Plugin::kLimitRanger, &set_limit_defaults, &check_limits},
    {Plugin::kServiceAccount, &set_service_account},
    {Plugin::kPodSecurity, nullptr, &check_pod_security},
    {Plugin::kPersistentVolumeClaimResize, nullptr, &check_claim_size},
    {Plugin::kValidatingAdmissionPolicy, nullptr, &check_policies, true},
    {Plugin::kResourceQuota, nullptr, &charge_quotas},
};

class Chain final : public registry::Admission {
 public:
  Result<void> mutate(const Plugins& plugins, const AdmissionRequest& request) const override {
    for (const Row& row : kRows) {
      if (row.mutate != nullptr && plugins.has(row.plugin)) TAB_CHECK(row.mutate(request));
    }
    return {};
  }
  Result<void> validate(const Plugins& plugins, const AdmissionRequest& request) const override {
    for (const Row& row : kRows) {
      if (is_deletion(request) && !row.deletions) continue;
      if (row.validate != nullptr && plugins.has(row.plugin)) TAB_CHECK(row.validate(request));
    }
    return {};
  }
};

}  // namespace

const registry::Admission& chain() {
  static constexpr Chain chain;
  return chain;
}

ApiStatus refusal(const AdmissionRequest& request, std::string_view why) {
  const json::Value* meta =
      registry::metadata_of(is_deletion(request) ? *request.old : request.object);
  std::string_view name = meta->string_at("name");
  if (name.empty()) name = meta->string_at("generateName");
  return errors::forbidden(request.type.group_resource(), name.empty() ? "Unknown" : name, why);
}

void each_in_namespace(const AdmissionRequest& request, std::string_view plural,
                       const std::function<void(const json::Value&)>& visit) {
  request.registry.each_object_in({"", "v1", plural}, request.ns, request.context.arena, visit);
}

}  // namespace tabernetes::admission
