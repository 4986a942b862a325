// APIService of apiregistration.k8s.io. Source: kube-aggregator 1.36
// pkg/apis/apiregistration/validation.
#include <string>

#include "json/access.h"
#include "json/fill.h"
#include "kinds/row/kind.h"
#include "kinds/shared/own_names.h"
#include "registry/cells/row.h"
#include "registry/meta/conditions.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kAPIServiceRules, R"(
@api-service-name
spec
 ?!group
  ?version!=v1
   group need "only v1 may have an empty group and it better be legacy kube"
 group opt is:subdomain
 version is:label1035
 ?!groupPriorityMinimum
  groupPriorityMinimum bad=0 "must be positive and less than 20000"
 groupPriorityMinimum opt ge:1 "must be positive and less than 20000" le:20000 "must be positive and less than 20000"
 ?!versionPriority
  versionPriority bad=0 "must be positive and less than 1000"
 versionPriority opt ge:1 "must be positive and less than 1000" le:1000 "must be positive and less than 1000"
 ?-service
  caBundle opt @ca-bundle
  ?insecureSkipTLSVerify=true
   insecureSkipTLSVerify bad "local APIServices may not have insecureSkipTLSVerify"
 service given
  namespace required
  name required
  port &webhook-port
 ?insecureSkipTLSVerify=true
  ?caBundle
   insecureSkipTLSVerify bad "may not be true if caBundle is present"
)");

TAB_DEFAULTS(kAPIServiceDefaults, R"(
spec made
 service given
  port fill=443
)");

namespace {

using json::Value;

void print_api_service(const Value& object, Row& row) {
  row.name(object);
  std::string service = "Local";
  if (has(object, {"spec", "service"})) {
    service = std::string(text_at(object, {"spec", "service", "namespace"})) + "/" +
              std::string(text_at(object, {"spec", "service", "name"}));
  }
  row.text(service);
  std::string available = "Unknown";
  if (const Value* condition = find_condition(object, "Available")) {
    available = std::string(condition->string_at("status"));
    const std::string_view reason = condition->string_at("reason");
    if (available != "True" && !reason.empty()) available.append(" (").append(reason).append(")");
  }
  row.text(available);
  row.age(object);
}

void prepare_api_service_for_create(const HookContext& context, Value& object) {
  json::Arena& arena = context.arena;
  if (has(object, {"spec", "service"})) return;
  Value& status = object_or_new(object, "status", arena);
  status.set(arena, "conditions", Value::array(arena));
  set_condition(status, {"Available", "True", "Local", "Local APIServices are always available"},
                context.now, arena);
}

void api_service_name(const Place& place) {
  const Field spec = place.now["spec"];
  add_name_faults(place,
                  std::string(spec.text_at("version")) + "." + std::string(spec.text_at("group")));
}

void ca_bundle(const Place& place) {
  const std::string_view text = place.now.text();
  std::size_t bytes = text.size() / 4 * 3;
  if (text.ends_with("==")) {
    bytes -= 2;
  } else if (text.ends_with('=')) {
    --bytes;
  }
  place.now.invalid_string(std::to_string(bytes) + " bytes",
                           "local APIServices may not have a caBundle");
}

}  // namespace

extern const NamedCheck kApiServiceChecks[] = {
    {"api-service-name", &api_service_name},
    {"ca-bundle", &ca_bundle},
};

extern const Kind kAPIServiceKind{
    .group = "apiregistration.k8s.io",
    .kind = "APIService",
    .strategy =
        {.names = kAnyName,
         .meta_passes = {"C", "UC", "U"},
         .etcd_path = "apiregistration.k8s.io/apiservices",
         .reset_fields = kMetadataResets,
         .allow_unconditional_update = false,
         .status_keeps_metadata = true,
         .status_metadata =
             "resourceVersion uid generateName deletionGracePeriodSeconds deletionTimestamp",
         .prepare_for_create = &prepare_api_service_for_create},
    .rules = &kAPIServiceRules,
    .defaults = &kAPIServiceDefaults,
    .print = &print_api_service};

}  // namespace tabernetes::registry::kinds
