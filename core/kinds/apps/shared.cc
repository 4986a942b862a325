// What workloads of this group share. Source: upstream 1.36 pkg/apis/apps/validation/validation.go.
#include "kinds/apps/shared.h"

#include <string>

#include "json/access.h"
#include "kinds/pod_template/template.h"
#include "kinds/pod_template/workloads.h"
#include "kinds/shared/selectors.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

void validate_always_running(const Field& tmpl, std::string_view kind) {
  const Field spec = tmpl["spec"];
  spec["restartPolicy"].one_of("Always");
  const Field deadline = spec["activeDeadlineSeconds"];
  if (deadline.present()) {
    deadline.forbidden("activeDeadlineSeconds in " + std::string(kind) + " is not Supported");
  }
}

void replicated(const Place& place) {
  const Field& spec = place.now;
  const Field selector = spec["selector"];
  const Field tmpl = spec["template"];
  if (!validate_selector(selector, "deployment")) {
    return selector.invalid("invalid label selector");
  }
  validate_template_labels(selector, tmpl);
  validate_pod_template(tmpl);
  validate_always_running(tmpl, "ReplicaSet");
}

void not_decremented(const Place& place) {
  if (place.old == nullptr || !place.old->is_int()) return;
  if (place.now.present() && place.now.number() >= place.old->as_int()) return;
  place.now.invalid_printed(std::to_string(place.now.number()), "cannot be decremented");
}

}  // namespace

// Returns false if the selector is missing or invalid.
bool validate_selector(const Field& selector, std::string_view kind) {
  if (!selector.present()) {
    selector.required();
    return true;  // valid, although it selects nothing
  }
  const bool sound = validate_label_selector(selector);
  if (selector["matchLabels"].empty() && selector["matchExpressions"].empty()) {
    selector.invalid("empty selector is invalid for " + std::string(kind));
  }
  return sound;
}

std::string ready_of_desired(const Value& object) {
  return std::to_string(number_at(object, {"status", "readyReplicas"})) + "/" +
         std::to_string(number_at(object, {"spec", "replicas"}));
}

extern const NamedCheck kAppsChecks[] = {
    {"replicated", &replicated},
    {"not-decremented", &not_decremented},
};

}  // namespace tabernetes::registry::kinds
