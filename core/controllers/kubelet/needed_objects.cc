#include "controllers/kubelet/needed_objects.h"

#include "base/go/text.h"
#include "json/access.h"

namespace tabernetes::controllers::kubelet {
namespace {

using json::Value;

constexpr registry::ObjectReader::Resource kConfigMaps{"", "v1", "configmaps"};
constexpr registry::ObjectReader::Resource kSecrets{"", "v1", "secrets"};

// Every namespace gets this one; a cluster whose loop for it is off does without.
constexpr std::string_view kRootCertificate = "kube-root-ca.crt";

// A ConfigMap or Secret that a pod names.
struct Wanted {
  bool secret = false;
  std::string_view name;
  bool optional = false;
};

class Finder {
 public:
  Finder(const Value& pod, const registry::ObjectReader& objects, json::Arena& arena)
      : ns_(text_at(pod, {"metadata", "namespace"})), objects_(objects), arena_(arena) {}

  Value find(const Wanted& wanted) const {
    return objects_.find_object(wanted.secret ? kSecrets : kConfigMaps, ns_, wanted.name, arena_);
  }
  bool has_key(const Value& object, std::string_view key) const {
    for (const std::string_view member : {"data", "binaryData", "stringData"}) {
      const Value* data = object.find(member);
      if (data != nullptr && data->find(key) != nullptr) return true;
    }
    return false;
  }
  std::string_view ns() const { return ns_; }

 private:
  std::string_view ns_;
  const registry::ObjectReader& objects_;
  json::Arena& arena_;
};

std::string not_found(const Wanted& wanted) {
  return std::string(wanted.secret ? "secret " : "configmap ") + go_quote(wanted.name) +
         " not found";
}

// `items`: the keys that are mounted.
std::optional<std::string> source_fault(const Finder& finder, const Wanted& wanted,
                                        const Value& source) {
  if (wanted.name.empty() || wanted.name == kRootCertificate) return std::nullopt;
  const Value object = finder.find(wanted);
  if (object.is_null()) {
    return wanted.optional ? std::nullopt : std::optional(not_found(wanted));
  }
  if (wanted.optional) return std::nullopt;
  for (const Value& item : items_at(source, {"items"})) {
    const std::string key(item.string_at("key"));
    if (finder.has_key(object, key)) continue;
    return wanted.secret ? "references non-existent secret key: " + key
                         : "configmap references non-existent config key: " + key;
  }
  return std::nullopt;
}

std::optional<std::string> volume_fault(const Finder& finder, const Value& volume) {
  if (const Value* map = volume.find("configMap")) {
    return source_fault(finder, {false, map->string_at("name"), bool_at(*map, {"optional"})}, *map);
  }
  if (const Value* secret = volume.find("secret")) {
    return source_fault(
        finder, {true, secret->string_at("secretName"), bool_at(*secret, {"optional"})}, *secret);
  }
  for (const Value& source : items_at(volume, {"projected", "sources"})) {
    for (const std::string_view kind : {"configMap", "secret"}) {
      const Value* from = source.find(kind);
      if (from == nullptr) continue;
      const Wanted wanted{kind == "secret", from->string_at("name"), bool_at(*from, {"optional"})};
      if (auto fault = source_fault(finder, wanted, *from)) return fault;
    }
  }
  return std::nullopt;
}

std::optional<std::string> key_fault(const Finder& finder, const Value& reference, bool secret) {
  const Wanted wanted{secret, reference.string_at("name"), bool_at(reference, {"optional"})};
  if (wanted.optional) return std::nullopt;
  const Value object = finder.find(wanted);
  if (object.is_null()) return not_found(wanted);
  const std::string key(reference.string_at("key"));
  if (finder.has_key(object, key)) return std::nullopt;
  return "couldn't find key " + key + " in " + (secret ? "Secret " : "ConfigMap ") +
         std::string(finder.ns()) + "/" + std::string(wanted.name);
}

}  // namespace

std::optional<std::string> mount_fault(const Value& pod, const registry::ObjectReader& objects,
                                       json::Arena& arena) {
  const Finder finder(pod, objects, arena);
  for (const Value& volume : items_at(pod, {"spec", "volumes"})) {
    if (const auto fault = volume_fault(finder, volume)) {
      return "MountVolume.SetUp failed for volume " + go_quote(volume.string_at("name")) + " : " +
             *fault;
    }
  }
  return std::nullopt;
}

std::optional<std::string> environment_fault(const Value& pod, const Value& container,
                                             const registry::ObjectReader& objects,
                                             json::Arena& arena) {
  const Finder finder(pod, objects, arena);
  for (const Value& from : items_at(container, {"envFrom"})) {
    for (const std::string_view kind : {"configMapRef", "secretRef"}) {
      const Value* reference = from.find(kind);
      if (reference == nullptr) continue;
      const Wanted wanted{kind == "secretRef", reference->string_at("name"),
                          bool_at(*reference, {"optional"})};
      if (!wanted.optional && finder.find(wanted).is_null()) return not_found(wanted);
    }
  }
  for (const Value& variable : items_at(container, {"env"})) {
    for (const std::string_view kind : {"configMapKeyRef", "secretKeyRef"}) {
      const Value* reference = variable.at({"valueFrom", kind});
      if (reference == nullptr) continue;
      if (auto fault = key_fault(finder, *reference, kind == "secretKeyRef")) return fault;
    }
  }
  return std::nullopt;
}

}  // namespace tabernetes::controllers::kubelet
