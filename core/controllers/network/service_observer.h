// What the controllers of endpoints share: which services a change of a pod concerns, and when the
// endpoints of a service last had a reason to change. Source: upstream 1.36
// k8s.io/endpointslice/util.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/loop/queued_loop.h"
#include "controllers/shared/objects.h"

namespace tabernetes::controllers {

// The selectors of services by namespace and name.
class ServiceSelectors {
 public:
  // Follows a change of a service.
  void observe(const WatchEvent& change);
  // Calls `visit` with the name of each service of the namespace that selects the record.
  template <typename Visit>
  void each_selecting(std::string_view ns, const store::Record& pod, const Visit& visit) const {
    const auto services = selectors_.find(ns);
    if (services == selectors_.end()) return;
    for (const auto& [name, selector] : services->second) {
      if (selects(selector, pod)) visit(name);
    }
  }
  void clear() { selectors_.clear(); }

 private:
  std::map<std::string, std::map<std::string, registry::LabelSelector, std::less<>>, std::less<>>
      selectors_;
};

// When each pod of a service last became ready or unready, as far as that was told.
class TriggerTimes {
 public:
  // Returns the earliest time that is new since the last call for the service; for a service not
  // seen before, when it was created.
  std::optional<Time> next(const std::string& key, const json::Value& service,
                           const std::vector<json::Value>& pods);
  void forget(const std::string& key) { known_.erase(key); }
  void clear() { known_.clear(); }

 private:
  struct Known {
    std::optional<Time> service;
    std::map<std::string, Time, std::less<>> pods;
  };
  std::map<std::string, Known> known_;
};

// A loop whose queue has the services whose pods or selves changed.
class ServiceLoop : public QueueLoop {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) final;

 protected:
  void forget() override {
    selectors_.clear();
    trigger_times_.clear();
  }

  ServiceSelectors selectors_;
  TriggerTimes trigger_times_;

 private:
  // Queues services whose endpoints were changed by others.
  virtual void observe_endpoints(const WatchEvent& change) = 0;
  void observe_pod(const registry::Registry& registry, const WatchEvent& change);
};

// Returns whether the service gets endpoints: it has a selector and is no alias.
bool has_endpoints(const json::Value& service);
// Returns whether the service has no address of its own.
bool is_headless(const json::Value& service);
// Returns whether the pod has an address and is not finished.
bool may_be_endpoint(const json::Value& pod);
// Returns the pod's host name if it is to be known by it under the service; else empty.
std::string_view hostname_under(const json::Value& pod, const json::Value& service);
// Returns the port of the pod to which the service's port leads, or nullopt.
std::optional<std::int64_t> find_port(const json::Value& pod, const json::Value& service_port);
// Returns the pod's addresses of the family, "IPv4" or "IPv6", in canonical form.
std::vector<std::string> addresses_of(const json::Value& pod, std::string_view family);

}  // namespace tabernetes::controllers
