// The environment of a container, in a kubelet's order. Source: upstream 1.36
// pkg/kubelet/kubelet_pods.go (makeEnvironmentVariables), pkg/kubelet/envvars.
#include <algorithm>
#include <map>

#include "base/text/base64.h"
#include "json/access.h"
#include "server/containers/container_world.h"

namespace tabernetes::server {
namespace {

using json::Value;

void set(Environment& environment, std::string name, std::string value) {
  const auto same = std::find_if(environment.begin(), environment.end(),
                                 [&](const auto& entry) { return entry.first == name; });
  if (same != environment.end()) {
    same->second = std::move(value);
  } else {
    environment.emplace_back(std::move(name), std::move(value));
  }
}

std::string_view value_in(const Environment& environment, std::string_view name, bool& known) {
  for (const auto& [key, value] : environment) {
    known = key == name;
    if (known) return value;
  }
  known = false;
  return {};
}

// Replaces $(NAME) by earlier values; `$$` is a dollar; unknown names stay.
std::string expand_references(std::string_view text, const Environment& known) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$' || i + 1 == text.size()) {
      out += text[i];
    } else if (text[i + 1] == '$') {
      out += '$';
      ++i;
    } else if (const std::size_t end = text.find(')', i);
               text[i + 1] == '(' && end != std::string_view::npos) {
      bool found = false;
      const std::string_view value = value_in(known, text.substr(i + 2, end - i - 2), found);
      out += found ? value : text.substr(i, end + 1 - i);
      i = end;
    } else {
      out += '$';
    }
  }
  return out;
}

std::string shell_name(std::string_view service) {
  std::string name(service);
  for (char& c : name) {
    if (c == '-') c = '_';
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return name;
}

void add_port(Environment& out, const std::string& service, std::string_view address,
              const Value& port, bool first) {
  const std::string number = std::to_string(number_at(port, {"port"}));
  std::string protocol(text_if_set(port, {"protocol"}, "TCP"));
  std::string lower = protocol;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const std::string url = lower + "://" + std::string(address) + ":" + number;
  const std::string prefix = service + "_PORT_" + number + "_" + protocol;
  if (first) set(out, service + "_PORT", url);
  set(out, prefix, url);
  set(out, prefix + "_PROTO", lower);
  set(out, prefix + "_PORT", number);
  set(out, prefix + "_ADDR", std::string(address));
}

void add_service(Environment& out, const Value& object) {
  const std::string_view address = text_at(object, {"spec", "clusterIP"});
  const json::Range<Value> ports = items_at(object, {"spec", "ports"});
  if (address.empty() || address == "None" || ports.size() == 0) return;
  const std::string name = shell_name(text_at(object, {"metadata", "name"}));
  set(out, name + "_SERVICE_HOST", std::string(address));
  set(out, name + "_SERVICE_PORT", std::to_string(number_at(ports[0], {"port"})));
  for (const Value& port : ports) {
    const std::string_view own = port.string_at("name");
    if (own.empty()) continue;
    set(out, name + "_SERVICE_PORT_" + shell_name(own), std::to_string(number_at(port, {"port"})));
  }
  for (std::uint32_t i = 0; i < ports.size(); ++i) add_port(out, name, address, ports[i], i == 0);
}

// Services of the pod's namespace, if it wants links, and always `kubernetes`.
void add_services(const WorldSource& source, Environment& out) {
  const Value* links = source.pod.at({"spec", "enableServiceLinks"});
  const bool linked = links == nullptr || !links->is_bool() || links->as_bool();
  const std::string_view ns = text_at(source.pod, {"metadata", "namespace"});
  source.objects.each_object(kWorldServices, source.arena, [&](const Value& service) {
    const std::string_view in = text_at(service, {"metadata", "namespace"});
    const bool server = in == "default" && text_at(service, {"metadata", "name"}) == "kubernetes";
    if (server || (linked && in == ns)) add_service(out, service);
  });
}

std::string bytes_of(const Value& entry, bool encoded) {
  const std::string_view text = text_of(entry);
  return encoded ? base64_decode(text).value_or("") : std::string(text);
}

std::string key_of(const WorldSource& source, const registry::ObjectReader::Resource& resource,
                   const Value& reference) {
  const Value object =
      source.objects.find_object(resource, text_at(source.pod, {"metadata", "namespace"}),
                                 reference.string_at("name"), source.arena);
  const Value* entry = object.at({"data", reference.string_at("key")});
  return entry == nullptr ? std::string() : bytes_of(*entry, resource.plural == "secrets");
}

std::string value_from(const WorldSource& source, const Value& from) {
  if (const Value* field = from.find("fieldRef")) {
    return pod_field(source.pod, field->string_at("fieldPath"));
  }
  if (const Value* resource = from.find("resourceFieldRef")) {
    return resource_field(source.pod, source.spec, *resource);
  }
  if (const Value* key = from.find("configMapKeyRef"))
    return key_of(source, kWorldConfigMaps, *key);
  if (const Value* key = from.find("secretKeyRef")) return key_of(source, kWorldSecrets, *key);
  return {};
}

void add_all_of(const WorldSource& source, const Value& from, Environment& out) {
  const Value* map = from.find("configMapRef");
  const Value* reference = map != nullptr ? map : from.find("secretRef");
  if (reference == nullptr) return;
  const Value object = source.objects.find_object(map != nullptr ? kWorldConfigMaps : kWorldSecrets,
                                                  text_at(source.pod, {"metadata", "namespace"}),
                                                  reference->string_at("name"), source.arena);
  std::map<std::string, std::string> sorted;
  for (const json::Member& entry : members_at(object, {"data"})) {
    sorted.emplace(std::string(from.string_at("prefix")) + std::string(entry.key),
                   bytes_of(entry.value, map == nullptr));
  }
  for (auto& [name, value] : sorted) set(out, name, value);
}

}  // namespace

Environment environment_of(const WorldSource& source) {
  Environment services, own;
  add_services(source, services);
  for (const Value& from : items_at(source.spec, {"envFrom"})) add_all_of(source, from, own);
  for (const Value& variable : items_at(source.spec, {"env"})) {
    const Value* from = variable.find("valueFrom");
    Environment known = services;
    for (const auto& [name, value] : own) set(known, name, value);
    const std::string value = from != nullptr && from->is_object()
                                  ? value_from(source, *from)
                                  : expand_references(variable.string_at("value"), known);
    set(own, std::string(variable.string_at("name")), value);
  }
  Environment all = {{"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
                     {"HOSTNAME", hostname_of(source.pod)}};
  for (const auto& [name, value] : own) set(all, name, value);
  for (const auto& [name, value] : services) {
    bool known = false;
    value_in(own, name, known);
    if (!known) set(all, name, value);
  }
  bool known = false;
  value_in(all, "HOME", known);
  if (!known) all.emplace_back("HOME", "/root");
  return all;
}

}  // namespace tabernetes::server
