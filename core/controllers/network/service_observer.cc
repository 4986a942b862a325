#include "controllers/network/service_observer.h"

#include <algorithm>

#include "base/net/ip_address.h"
#include "json/access.h"
#include "json/equality.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

// Returns whether both have the same value at `path`.
bool same_at(const Value& a, const Value& b, std::initializer_list<std::string_view> path) {
  return json::deep_equal(a.at(path), b.at(path));
}

// Returns whether a change of the pod calls for a look at endpoints; a new phase alone does not.
bool endpoints_differ(const Value& before, const Value& now) {
  return !same_at(before, now, {"metadata", "labels"}) ||
         !same_at(before, now, {"metadata", "deletionTimestamp"}) ||
         !same_at(before, now, {"spec", "hostname"}) ||
         !same_at(before, now, {"spec", "subdomain"}) ||
         !same_at(before, now, {"status", "podIPs"}) ||
         registry::condition_is_true(before, "Ready") != registry::condition_is_true(now, "Ready");
}

}  // namespace

void ServiceSelectors::observe(const WatchEvent& change) {
  auto services = selectors_.find(change.ns);
  if (services != selectors_.end()) {
    const auto known = services->second.find(change.name);
    if (known != services->second.end()) services->second.erase(known);
    if (services->second.empty()) {
      selectors_.erase(services);
    }
  }
  if (change.now == nullptr) return;
  const Value& service = change.object_now.get();
  const Value* selector = service.at({"spec", "selector"});
  if (!has_endpoints(service)) return;
  selectors_[std::string(change.ns)].insert_or_assign(std::string(change.name),
                                                      selector_of_labels(*selector));
}

std::optional<Time> TriggerTimes::next(const std::string& key, const Value& service,
                                       const std::vector<Value>& pods) {
  const auto place = known_.find(key);
  const bool is_new = place == known_.end();
  const Known before = is_new ? Known() : place->second;
  Known now;
  std::optional<Time> first;
  const auto consider = [&](Time time) {
    if (!first || time < *first) first = time;
  };
  for (const Value& pod : pods) {
    const Value* ready = registry::find_condition(pod, "Ready");
    const auto since = ready == nullptr ? std::nullopt : time_at(*ready, {"lastTransitionTime"});
    if (!since) continue;
    now.pods.emplace(name_of(pod), *since);
    const auto known = before.pods.find(name_of(pod));
    if (known == before.pods.end() || *since > known->second) consider(*since);
  }
  now.service = time_at(service, {"metadata", "creationTimestamp"});
  if (now.service && (!before.service || *now.service > *before.service)) consider(*now.service);
  const std::optional<Time> created = now.service;
  known_[key] = std::move(now);
  return is_new ? created : first;
}

void ServiceLoop::on_change(const registry::Registry& registry, const WatchEvent& change) {
  if (is(change.type, kPods)) {
    observe_pod(registry, change);
  } else if (is(change.type, kServices)) {
    selectors_.observe(change);
    queue_.add(queue_key(change.ns, change.name), change.due());
  } else {
    observe_endpoints(change);
  }
}

void ServiceLoop::observe_pod(const registry::Registry&, const WatchEvent& change) {
  std::vector<std::string> names;
  const auto note = [&](const std::string& name) { names.push_back(name); };
  if (change.now != nullptr) selectors_.each_selecting(change.ns, *change.now, note);
  if (change.before != nullptr) selectors_.each_selecting(change.ns, *change.before, note);
  if (names.empty()) return;
  if (change.now != nullptr && change.before != nullptr &&
      !endpoints_differ(change.object_before.get(), change.object_now.get())) {
    return;
  }
  for (const std::string& name : names) queue_.add(queue_key(change.ns, name), change.due());
}

bool has_endpoints(const Value& service) {
  const Value* selector = service.at({"spec", "selector"});
  return text_at(service, {"spec", "type"}) != "ExternalName" && selector != nullptr &&
         selector->is_object();
}

bool is_headless(const Value& service) {
  const std::string_view address = text_at(service, {"spec", "clusterIP"});
  return address.empty() || address == "None";
}

bool may_be_endpoint(const Value& pod) {
  const std::string_view phase = text_at(pod, {"status", "phase"});
  if (phase == "Failed" || phase == "Succeeded") return false;
  return !text_at(pod, {"status", "podIP"}).empty() || !items_at(pod, {"status", "podIPs"}).empty();
}

std::string_view hostname_under(const Value& pod, const Value& service) {
  if (text_at(pod, {"spec", "subdomain"}) != name_of(service)) return {};
  return text_at(pod, {"spec", "hostname"});
}

std::optional<std::int64_t> find_port(const Value& pod, const Value& service_port) {
  const Value* target = service_port.find("targetPort");
  if (target == nullptr) return number_at(service_port, {"port"});
  if (target->is_int()) return target->as_int();
  for (const std::string_view list : {"containers", "initContainers"}) {
    for (const Value& container : items_at(pod, {"spec", list})) {
      if (list == "initContainers" && container.string_at("restartPolicy") != "Always") continue;
      for (const Value& port : items_in(container, "ports")) {
        if (port.string_at("name") == target->as_string() &&
            port.string_at("protocol") == service_port.string_at("protocol")) {
          return number_at(port, {"containerPort"});
        }
      }
    }
  }
  return std::nullopt;
}

std::vector<std::string> addresses_of(const Value& pod, std::string_view family) {
  std::vector<std::string> found;
  for (const Value& item : items_at(pod, {"status", "podIPs"})) {
    const auto address = parse_ip(item.string_at("ip"));
    if (address && address->v4 == (family == "IPv4")) found.push_back(address->to_string());
  }
  return found;
}

}  // namespace tabernetes::controllers
