// Probes, and what runs when a container starts and stops.
// Source: upstream 1.36 pkg/apis/core/validation/validation.go, validateProbe, validateLifecycle.

#include <string>

#include "registry/validation/formats.h"
#include "registry/validation/pod_parts.h"

namespace tabernetes::registry::validation {
namespace {

void validate_port(const Field& port) {
  if (port.value() != nullptr && port.value()->is_string()) {
    port.format(port_name_faults);
  } else {
    port.in_range(1, 65535);
  }
}

void validate_get(const Field& get) {
  get["path"].require();
  validate_port(get["port"]);
  get["scheme"].one_of("HTTP,HTTPS");
  const Field headers = get["httpHeaders"];
  for (const Field header : headers.items()) {
    headers.with(header["name"]).format(header_name_faults);
  }
}

void validate_sleep(const Field& sleep, const PodScope& scope) {
  const Field grace = scope.spec["terminationGracePeriodSeconds"];
  if (!grace.present()) return;
  const std::int64_t seconds = sleep.number_at("seconds");
  if (seconds >= 0 && seconds <= grace.number()) return;
  sleep.invalid_as(std::to_string(seconds),
                   "must be non-negative and less than terminationGracePeriodSeconds (" +
                       std::to_string(grace.number()) + ")");
}

void validate_handler(const Field& handler, const PodScope& scope) {
  bool any = false;
  for (const std::string_view name : {"exec", "httpGet", "tcpSocket", "grpc", "sleep"}) {
    const Field action = handler[name];
    if (!action.present()) continue;
    if (any) {
      action.forbidden("may not specify more than 1 handler type");
      continue;
    }
    any = true;
    if (name == "exec") {
      if (action["command"].empty()) action["command"].required();
    } else if (name == "httpGet") {
      validate_get(action);
    } else if (name == "sleep") {
      validate_sleep(action, scope);
    } else {
      validate_port(action["port"]);
    }
  }
  if (!any) handler.required("must specify a handler type");
}

}  // namespace

void validate_probe(const Field& probe, const PodScope& scope) {
  validate_handler(probe, scope);
  for (const std::string_view name : {"initialDelaySeconds", "timeoutSeconds", "periodSeconds",
                                      "successThreshold", "failureThreshold"}) {
    probe[name].non_negative();
  }
  const Field grace = probe["terminationGracePeriodSeconds"];
  if (grace.present() && grace.number() <= 0) grace.invalid("must be greater than 0");
}

void validate_lifecycle(const Field& lifecycle, const PodScope& scope) {
  for (const std::string_view name : {"postStart", "preStop"}) {
    if (lifecycle.has(name)) validate_handler(lifecycle[name], scope);
  }
}

}  // namespace tabernetes::registry::validation
