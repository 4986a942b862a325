#include "admission/service_account_secrets.h"

#include <set>
#include <string_view>

#include "json/access.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using Names = std::set<std::string_view>;

constexpr std::string_view kLimits = "kubernetes.io/enforce-mountable-secrets";

// Where a volume source refers to a secret.
struct SecretMember {
  std::string_view source, member;
  bool is_name = false;  // the member is the name, not a reference
};
constexpr SecretMember kSecretsOfVolumes[] = {
    {"azureFile", "secretName", true}, {"cephfs", "secretRef"}, {"cinder", "secretRef"},
    {"flexVolume", "secretRef"},       {"rbd", "secretRef"},    {"secret", "secretName", true},
    {"scaleIO", "secretRef"},          {"iscsi", "secretRef"},  {"storageos", "secretRef"},
    {"csi", "nodePublishSecretRef"},
};
constexpr std::string_view kContainerLists[] = {"initContainers", "containers",
                                                "ephemeralContainers"};

// Add the names of the secrets that a part of a pod refers to.
void add_secrets_of_container(const Value& container, Names& names) {
  for (const Value& source : items_in(container, "envFrom")) {
    const Value* reference = source.find("secretRef");
    if (reference != nullptr) names.insert(reference->string_at("name"));
  }
  for (const Value& variable : items_in(container, "env")) {
    const Value* reference = variable.at({"valueFrom", "secretKeyRef"});
    if (reference != nullptr) names.insert(reference->string_at("name"));
  }
}

void add_secrets_of_volume(const Value& volume, Names& names) {
  for (const SecretMember& each : kSecretsOfVolumes) {
    const Value* member = volume.at({each.source, each.member});
    if (member == nullptr) continue;
    if (!each.is_name) names.insert(member->string_at("name"));
    if (each.is_name && !member->as_string().empty()) names.insert(member->as_string());
  }
  const Value* projected = volume.find("projected");
  if (projected == nullptr) return;
  for (const Value& source : items_in(*projected, "sources")) {
    const Value* reference = source.find("secret");
    if (reference != nullptr) names.insert(reference->string_at("name"));
  }
}

Names names_in(const Value& account, std::string_view list) {
  Names names;
  for (const Value& each : items_in(account, list)) names.insert(each.string_at("name"));
  return names;
}

std::string text_of(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

// The secrets of an account, against which references are held.
class Allowed {
 public:
  explicit Allowed(const Value& account)
      : account_(account.at({"metadata", "name"})->as_string()),
        secrets_(names_in(account, "secrets")),
        pull_secrets_(names_in(account, "imagePullSecrets")) {}

  // `what` is the kind of container, such as "init container".
  std::string fault_of(std::string_view what, const Value& container) const {
    for (const Value& variable : items_in(container, "env")) {
      const Value* reference = variable.at({"valueFrom", "secretKeyRef"});
      if (reference == nullptr || secrets_.count(reference->string_at("name")) != 0) continue;
      return text_of({what, " ", container.string_at("name"), " with envVar ",
                      variable.string_at("name"), " referencing secret.secretName=\"",
                      reference->string_at("name"), "\"", ending()});
    }
    for (const Value& source : items_in(container, "envFrom")) {
      const Value* reference = source.find("secretRef");
      if (reference == nullptr || secrets_.count(reference->string_at("name")) != 0) continue;
      return text_of({what, " ", container.string_at("name"),
                      " with envFrom referencing secret.secretName=\"",
                      reference->string_at("name"), "\"", ending()});
    }
    return {};
  }

  std::string fault_of_volumes(const Value& spec) const {
    for (const Value& volume : items_in(spec, "volumes")) {
      const Value* secret = volume.find("secret");
      if (secret == nullptr || secrets_.count(secret->string_at("secretName")) != 0) continue;
      return text_of(
          {"volume with secret.secretName=\"", secret->string_at("secretName"), "\"", ending()});
    }
    return {};
  }

  std::string fault_of_pull_secrets(const Value& spec) const {
    std::size_t i = 0;
    for (const Value& reference : items_in(spec, "imagePullSecrets")) {
      const std::string place = std::to_string(i++);
      if (pull_secrets_.count(reference.string_at("name")) != 0) continue;
      return text_of({"imagePullSecrets[", place, "].name=\"", reference.string_at("name"),
                      "\" is not allowed because service account ", account_,
                      " does not reference that imagePullSecret"});
    }
    return {};
  }

 private:
  std::string ending() const {
    return text_of(
        {" is not allowed because service account ", account_, " does not reference that secret"});
  }

  std::string_view account_;
  Names secrets_, pull_secrets_;
};

std::string fault_of_list(const Allowed& allowed, std::string_view what, const Value& spec,
                          std::string_view list) {
  for (const Value& container : items_in(spec, list)) {
    std::string fault = allowed.fault_of(what, container);
    if (!fault.empty()) return fault;
  }
  return {};
}

}  // namespace

std::set<std::string_view> secrets_of_pod(const Value& spec) {
  Names names;
  for (const Value& reference : items_in(spec, "imagePullSecrets")) {
    names.insert(reference.string_at("name"));
  }
  for (const std::string_view list : kContainerLists) {
    for (const Value& container : items_in(spec, list)) add_secrets_of_container(container, names);
  }
  for (const Value& volume : items_in(spec, "volumes")) add_secrets_of_volume(volume, names);
  return names;
}

bool refers_to_secrets(const Value& spec) { return !secrets_of_pod(spec).empty(); }

bool projects_account_tokens(const Value& spec) {
  for (const Value& volume : items_in(spec, "volumes")) {
    const Value* projected = volume.find("projected");
    if (projected == nullptr) continue;
    for (const Value& source : items_in(*projected, "sources")) {
      if (source.find("serviceAccountToken") != nullptr) return true;
    }
  }
  return false;
}

bool limits_secrets(const Value& account) {
  const Value* annotation = account.at({"metadata", "annotations", kLimits});
  if (annotation == nullptr) return false;
  // What Go's strconv.ParseBool takes for true.
  for (const std::string_view text : {"1", "t", "T", "TRUE", "true", "True"}) {
    if (annotation->as_string() == text) return true;
  }
  return false;
}

std::string forbidden_secret_of_pod(const Value& account, const Value& spec) {
  const Allowed allowed(account);
  std::string fault = allowed.fault_of_volumes(spec);
  if (fault.empty()) fault = fault_of_list(allowed, "init container", spec, "initContainers");
  if (fault.empty()) fault = fault_of_list(allowed, "container", spec, "containers");
  return fault.empty() ? allowed.fault_of_pull_secrets(spec) : fault;
}

std::string forbidden_secret_of_ephemeral_containers(const Value& account, const Value& spec) {
  return fault_of_list(Allowed(account), "ephemeral container", spec, "ephemeralContainers");
}

}  // namespace tabernetes::admission
