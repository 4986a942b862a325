// ServiceAccount: assigns pods a service account of their namespace, mounts its token, and holds
// pods to the secrets of their account where that asks for it. Source: upstream 1.36
// plugin/pkg/admission/serviceaccount.

#include <string>

#include "admission/plugin_state.h"
#include "admission/plugins.h"
#include "admission/request.h"
#include "admission/service_account_secrets.h"
#include "base/numbers/entropy.h"
#include "codec/json_reader.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {
namespace {

using json::Arena;
using json::Value;

constexpr std::string_view kDefaultAccount = "default";
constexpr std::string_view kVolume = "kube-api-access-";
constexpr std::string_view kMountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
constexpr std::string_view kSources =
    R"([{"serviceAccountToken":{"path":"token","expirationSeconds":3607}},)"
    R"({"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},)"
    R"({"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1",)"
    R"("fieldPath":"metadata.namespace"}}]}}])";

bool automounts(const Value& account, const Value& spec) {
  for (const Value* holder : {&spec, &account}) {
    const Value* own = holder->find("automountServiceAccountToken");
    if (own != nullptr && own->is_bool()) return own->as_bool();
  }
  return true;
}

Value& array_in(Value& object, std::string_view key, Arena& arena) {
  Value* list = object.find(key);
  if (list == nullptr || !list->is_array()) {
    object.set(arena, key, Value::array(arena));
    list = object.find(key);
  }
  return *list;
}

// Returns false if something is already mounted there.
bool mount(Value& container, std::string_view volume, Arena& arena) {
  for (const Value& mounted : items_in(container, "volumeMounts")) {
    if (mounted.string_at("mountPath") == kMountPath) return false;
  }
  Value entry = Value::object(arena);
  entry.append(arena, "name", Value::string(volume));
  entry.append(arena, "readOnly", Value::boolean(true));
  entry.append(arena, "mountPath", Value::string(kMountPath));
  array_in(container, "volumeMounts", arena).push_back(arena, entry);
  return true;
}

Value token_volume(std::string_view name, Arena& arena) {
  Value projected = Value::object(arena);
  projected.append(arena, "sources", codec::read_json(kSources, arena).value);
  projected.append(arena, "defaultMode", Value::integer(0644));
  Value volume = Value::object(arena);
  volume.append(arena, "name", Value::string(name));
  volume.append(arena, "projected", projected);
  return volume;
}

void mount_token(const AdmissionRequest& request, Value& spec) {
  Arena& arena = request.context.arena;
  std::string_view name;
  for (const Value& volume : items_in(spec, "volumes")) {
    if (name.empty() && volume.string_at("name").starts_with(kVolume)) {
      name = volume.string_at("name");
    }
  }
  const bool has_volume = !name.empty();
  if (!has_volume) {
    Entropy& entropy = request.registry.hook_context(request.context).entropy;
    name = arena.copy(std::string(kVolume) + make_name_suffix(entropy));
  }
  bool mounted = false;
  for (const std::string_view list : {"initContainers", "containers"}) {
    for (Value& container : items_in(spec, list)) {
      mounted = mount(container, name, arena) || mounted;
    }
  }
  if (mounted && !has_volume) {
    array_in(spec, "volumes", arena).push_back(arena, token_volume(name, arena));
  }
}

bool is_mirror(const AdmissionRequest& request) {
  return request.object.at({"metadata", "annotations", "kubernetes.io/config.mirror"}) != nullptr;
}

Value find_account(const AdmissionRequest& request, std::string_view name) {
  return request.registry.find_object({"", "v1", "serviceaccounts"}, request.ns, name,
                                      request.context.arena);
}

// Returns the account. One named `default` is waited for, since every namespace gets one.
Result<Value> account_of(const AdmissionRequest& request, std::string_view name,
                         const PluginState& state) {
  Value account = find_account(request, name);
  if (!account.is_object() && name == kDefaultAccount && state.make_default_account) {
    state.make_default_account(request.ns, request.context.now);
    account = find_account(request, name);
    const bool made = account.is_object() && request.context.pending != nullptr;
    if (made) request.context.pending->note_provided();
  }
  if (account.is_object()) return account;
  return refusal(request, "error looking up service account " + std::string(request.ns) + "/" +
                              std::string(name) + ": serviceaccount \"" + std::string(name) +
                              "\" not found");
}

Result<void> check_mirror(const AdmissionRequest& request, const Value& spec) {
  if (!spec.string_at("serviceAccountName").empty()) {
    return refusal(request, "a mirror pod may not reference service accounts");
  }
  if (refers_to_secrets(spec)) {
    return refusal(request, "a mirror pod may not reference secrets");
  }
  if (projects_account_tokens(spec)) {
    return refusal(request, "a mirror pod may not use ServiceAccountToken volume projections");
  }
  return {};
}

}  // namespace

Result<void> set_service_account(const AdmissionRequest& request, PluginState& state) {
  if (request.operation != registry::Operation::kCreate || is_mirror(request)) {
    return check_service_account(request, state);
  }
  Arena& arena = request.context.arena;
  Value& spec = object_or_new(request.object, "spec", arena);
  std::string_view name = spec.string_at("serviceAccountName");
  if (name.empty()) name = kDefaultAccount;
  for (const std::string_view field : {"serviceAccountName", "serviceAccount"}) {
    spec.set(arena, field, Value::string(name));
  }
  TAB_TRY(const Value account, account_of(request, name, state));
  if (automounts(account, spec)) mount_token(request, spec);
  const Value* secrets = account.find("imagePullSecrets");
  if (secrets != nullptr && items_in(spec, "imagePullSecrets").size() == 0) {
    spec.set(arena, "imagePullSecrets", *secrets);
  }
  return check_service_account(request, state);
}

Result<void> check_service_account(const AdmissionRequest& request, PluginState& state) {
  const bool create = request.operation == registry::Operation::kCreate;
  if (!create && request.context.subresource != "ephemeralcontainers") return {};
  const Value* found = request.object.find("spec");
  const Value spec = found != nullptr ? *found : Value::object(request.context.arena);
  if (create && is_mirror(request)) return check_mirror(request, spec);
  const std::string_view name = spec.string_at("serviceAccountName");
  if (name.empty()) {
    return refusal(request, "no service account specified for pod " + std::string(request.ns) +
                                "/" + std::string(request.name));
  }
  TAB_TRY(const Value account, account_of(request, name, state));
  if (!limits_secrets(account)) return {};
  const std::string forbidden = create ? forbidden_secret_of_pod(account, spec)
                                       : forbidden_secret_of_ephemeral_containers(account, spec);
  if (!forbidden.empty()) return refusal(request, forbidden);
  return {};
}

}  // namespace tabernetes::admission
