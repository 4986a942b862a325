// Where the services are that the core calls; of those that are nowhere, it is told once each.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "log.h"
#include "webhook_target.h"

namespace tabernetes::host {

class KnownServices {
 public:
  // `what`: how messages call a service ("the webhook's service %", with its name for %).
  KnownServices(std::vector<WebhookService> services, Log log, std::string_view what)
      : services_(std::move(services)), log_(log), what_(what) {}

  // Returns the target of a call, as find_target() does. A developer who runs a server locally
  // wants to know that it is not found.
  WebhookTarget target_of(const WebhookCall& call) {
    WebhookTarget target = find_target(call, services_);
    if (target.fault.empty() || !call.service || !told_.insert(call.service->name).second) {
      return target;
    }
    const std::string& service = call.service->name;
    std::string text(what_);
    text.replace(text.find('%'), 1, service);
    log_.warn(text + " is nowhere: --webhook-service " + service.substr(0, service.find(':')) +
              "=HOST:PORT says where it is");
    return target;
  }

 private:
  const std::vector<WebhookService> services_;
  const Log log_;
  const std::string what_;
  std::set<std::string> told_;
};

}  // namespace tabernetes::host
