// Rules and defaults of device claims, in claims, claim templates and classes. Not yet checked: the
// status of claims, the devices of slices, CEL expressions. Source: upstream 1.36
// pkg/apis/resource/validation.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/parts.h"
#include "kinds/row/rules.h"
#include "rules/formats.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kDeviceClaimRules, R"(
requests max:32
requests[]
 name is:label
 ?firstAvailable
  ?+exactly
   . bad=null "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set"
  ?-exactly
   firstAvailable max:8
   firstAvailable[]
    name is:label
    &device-request
   firstAvailable @distinct-requests
 ?!firstAvailable
  exactly given &device-request
  ?-exactly
   . need "exactly one of `exactly` or `firstAvailable` is required"
requests @distinct-requests
@device-constraints
@device-configurations
)");

TAB_RULES(kDeviceRequestRules, R"(
deviceClassName required is:subdomain
selectors max:32
selectors[] &device-selector
?allocationMode=All
 count opt bad "must not be specified when allocationMode is 'All'"
?allocationMode=ExactCount
 count positive
?allocationMode!=All|ExactCount
 allocationMode enum:All,ExactCount
tolerations[] &device-toleration
)");

TAB_RULES(kDeviceTolerationRules, R"(
key opt is:qualified
?operator=Exists
 value opt bad "must be empty for operator `Exists`"
?operator=Equal
 value is:label-value
?operator!=Exists|Equal
 operator required enum:Equal,Exists
effect opt enum:NoExecute,NoSchedule,None
)");

TAB_RULES(kDeviceSelectorRules, R"(
cel present
 expression maxlen:10240
)");

TAB_RULES(kDeviceConfigRules, R"(
opaque present
 driver required maxlen:63 is:lower-subdomain
 parameters present
)");

namespace {

constexpr std::uint32_t kMostInClaim = 32;
constexpr std::size_t kLongestDomain = 63;
constexpr std::size_t kLongestId = 32;

// The requests of a claim by name, each with the names of its alternatives.
class RequestNames {
 public:
  explicit RequestNames(const Field& requests) {
    for (const Field request : requests.items()) {
      std::set<std::string_view>& names = names_[request.text_at("name")];
      const Field alternatives = request["firstAvailable"];
      for (const Field each : alternatives.items()) names.insert(each.text_at("name"));
    }
  }

  // `parts`: of REQUEST or REQUEST/ALTERNATIVE.
  bool has(const std::vector<std::string_view>& parts) const {
    const auto found = names_.find(parts[0]);
    return found != names_.end() && (parts.size() == 1 || found->second.count(parts[1]) > 0);
  }

 private:
  std::map<std::string_view, std::set<std::string_view>> names_;
};

// Checks the list of requests that a constraint or a configuration is for.
void check_references(const Field& list, const RequestNames& names) {
  if (list.size() > kMostInClaim) return list.too_many(kMostInClaim);
  for (const Field item : list.items()) {
    const std::vector<std::string_view> parts = split(item.text(), '/');
    if (parts.size() <= 2) {
      for (const std::string_view part : parts) {
        for (const std::string& fault : dns1123_label_faults(part))
          item.invalid_string(part, fault);
      }
    }
    if (parts.size() <= 2 && names.has(parts)) continue;
    item.invalid(
        "must be the name of a request in the claim or the name of a request and a subrequest "
        "separated by '/'");
  }
  std::set<std::string_view> seen;
  for (const Field item : list.items()) {
    if (!seen.insert(item.text()).second) item.duplicate();
  }
}

void check_domain(const Field& attribute, std::string_view domain) {
  if (domain.empty()) return attribute.invalid_string("", "the domain must not be empty");
  if (domain.size() > kLongestDomain) attribute.too_long(kLongestDomain);
  for (const std::string& fault : dns1123_subdomain_faults(ascii_lower(domain))) {
    attribute.invalid_string(domain, fault);
  }
}

void check_id(const Field& attribute, std::string_view id) {
  if (id.size() > kLongestId) attribute.too_long(kLongestId);
  for (const std::string& fault : c_identifier_faults(id)) attribute.invalid_string(id, fault);
}

// Checks the name of an attribute: DOMAIN/ID. As upstream, more slashes are not looked at.
void check_attribute(const Field& attribute) {
  const std::vector<std::string_view> parts = split(attribute.text(), '/');
  if (parts.size() == 1) {
    check_id(attribute, parts[0]);
    return attribute.invalid(
        "a fully qualified name must be a domain and a name separated by a slash");
  }
  if (parts.size() > 2) return;
  check_domain(attribute, parts[0]);
  if (parts[1].empty()) return attribute.invalid_string("", "the name must not be empty");
  check_id(attribute, parts[1]);
}

void check_constraint(const Field& constraint) {
  if (constraint.has("matchAttribute")) return check_attribute(constraint["matchAttribute"]);
  if (constraint.has("distinctAttribute")) return check_attribute(constraint["distinctAttribute"]);
  if (!constraint.capabilities().enabled("DRAConsumableCapacity")) {
    return constraint["matchAttribute"].required();
  }
  constraint.required(
      "exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, but multiple fields "
      "are set");
}

void device_constraints(const Place& place) {
  const Field constraints = place.now["constraints"];
  if (constraints.size() > kMostInClaim) return constraints.too_many(kMostInClaim);
  const RequestNames names(place.now["requests"]);
  for (const Field constraint : constraints.items()) {
    check_references(constraint["requests"], names);
    check_constraint(constraint);
  }
}

void device_configurations(const Place& place) {
  const Field configurations = place.now["config"];
  if (configurations.size() > kMostInClaim) return configurations.too_many(kMostInClaim);
  const RequestNames names(place.now["requests"]);
  for (const Field configuration : configurations.items()) {
    check_references(configuration["requests"], names);
    kDeviceConfigRules.check_alone(configuration);
  }
}

void distinct_requests(const Place& place) {
  std::set<std::string_view> names;
  for (const Field request : place.now.items()) {
    const Field name = request["name"];
    if (!names.insert(name.text()).second) request.duplicate_as(name.printed());
  }
}

}  // namespace

extern const NamedCheck kDeviceClaimChecks[] = {
    {"device-constraints", &device_constraints},
    {"device-configurations", &device_configurations},
    {"distinct-requests", &distinct_requests},
};

TAB_DEFAULTS(kDeviceDefaults, R"(
requests[]
 exactly given &request-defaults
 firstAvailable[] &request-defaults
)");

TAB_DEFAULTS(kRequestDefaults, R"(
allocationMode default=ExactCount
?allocationMode=ExactCount
 count number=1
tolerations[].operator default=Equal
)");

}  // namespace tabernetes::registry::kinds
