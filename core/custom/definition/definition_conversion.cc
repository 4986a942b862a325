#include "custom/definition/definition_conversion.h"

#include <set>
#include <string>

#include "base/api/names.h"
#include "rules/webhook_client.h"

namespace tabernetes::registry::custom {
namespace {

using validation::Field;

validation::Place place_of(const Field& field) {
  return {field, nullptr, validation::Write::kCreate, field.value()};
}

void ca_bundle_rules(const Field& bundle) {
  const std::string fault = ca_bundle_fault(bundle.text());
  if (!fault.empty()) bundle.invalid(fault);
}

void client_rules(const Field& client) {
  const Field url = client["url"], service = client["service"];
  if (url.present() == service.present()) {
    return client.required("exactly one of url or service is required");
  }
  if (url.present()) return check_webhook_url(place_of(url));
  // The real server swaps the two names.
  if (service.text_at("namespace").empty()) service["name"].required();
  if (service.text_at("name").empty()) service["namespace"].required();
  const Field port = service["port"];
  if (port.number() < 1 || port.number() > 65535) {
    port.invalid_printed(std::to_string(port.number()),
                         "port is not valid: must be between 1 and 65535, inclusive");
  }
  const Field path = service["path"];
  if (path.present()) check_webhook_path(place_of(path));
}

void review_version_rules(const Field& versions) {
  if (versions.empty()) return versions.required();
  std::set<std::string_view> seen;
  for (const Field version : versions.items()) {
    if (!seen.insert(version.text()).second) {
      version.invalid("duplicate version");
    } else {
      version.format(&dns1035_label_faults);
    }
  }
  if (!seen.contains("v1") && !seen.contains("v1beta1")) {
    versions.invalid("must include at least one of v1, v1beta1");
  }
}

// Returns true if an invalid caBundle is tolerated: if the old one was invalid too, or the
// definition is not established.
bool may_be_unreadable(const Field& old_spec, bool established) {
  if (!established) return true;
  const json::Value* client = old_spec.value()->at({"conversion", "webhook", "clientConfig"});
  return client != nullptr && !ca_bundle_fault(client->string_at("caBundle")).empty();
}

}  // namespace

void check_conversion(const Field& spec, const Field& old, bool established) {
  const Field conversion = spec["conversion"];
  if (!conversion.present()) return;
  const Field strategy = conversion["strategy"];
  if (spec["preserveUnknownFields"].flag() && !strategy.is("None")) {
    strategy.invalid("must be None if spec.preserveUnknownFields is true");
  }
  strategy.require_one_of("None,Webhook");
  const Field webhook = conversion["webhook"];
  const Field client = conversion.as("webhookClientConfig", webhook["clientConfig"]);
  const Field versions =
      conversion.as("conversionReviewVersions", webhook["conversionReviewVersions"]);
  static constexpr std::string_view kDetail =
      "should not be set when strategy is not set to Webhook";
  if (!strategy.is("Webhook")) {
    if (client.present()) client.forbidden(kDetail);
    if (!versions.empty()) versions.forbidden(kDetail);
    return;
  }
  if (client.present()) {
    client_rules(client);
    if (!may_be_unreadable(old, established)) ca_bundle_rules(client["caBundle"]);
  } else {
    client.required("required when strategy is set to Webhook");
  }
  review_version_rules(versions);
}

}  // namespace tabernetes::registry::custom
