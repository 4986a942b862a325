// Checks of webhooks, admission policies, flow control, API services and certificate requests.
// Source: upstream 1.36 pkg/apis/admissionregistration/validation, flowcontrol/validation,
// certificates/validation; apiserver pkg/util/webhook/validation.go.

#include <cmath>
#include <string>

#include "base/go/text.h"
#include "base/text/ascii.h"
#include "base/text/base64.h"
#include "base/text/parts.h"
#include "json/equality.h"
#include "kinds/validation/checks.h"
#include "kinds/validation/policy_expressions.h"
#include "rules/webhook_client.h"

namespace tabernetes::registry::validation {
TAB_RULES(kFlowAccountRules, R"(
name required @flow-account
namespace required "must specify namespace for service account" is:label
)");

TAB_RULES(kDistinctRules, "[] distinct");

namespace {

using json::Value;

bool has_item(const Field& list, std::string_view wanted) {
  if (list.empty()) return false;
  for (const Value& item : list.value()->items()) {
    if (item.as_string() == wanted) return true;
  }
  return false;
}

// Checks the resources of a rule, which may contain subresources.
void rule_resources(const Place& place) {
  const Field& list = place.now;
  bool bare = false;
  for (const Field item : list.items()) {
    const std::string text(item.text());
    if (text.empty()) {
      item.required();
      continue;
    }
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) {
      bare = text != "*";
      continue;
    }
    const std::string resource = text.substr(0, slash);
    const std::string sub = text.substr(slash + 1);
    const auto earlier = [&](const std::string& wanted) {
      for (std::uint32_t i = 0; i < item.index(); ++i) {
        if (list.value()->items()[i].as_string() == wanted) return true;
      }
      return false;
    };
    for (const std::string& all : {resource + "/*", "*/" + sub}) {
      if (earlier(all)) item.invalid("if '" + all + "' is present, must not specify " + text);
    }
  }
  if (list.size() > 1 && has_item(list, "*/*")) {
    list.invalid("if '*/*' is present, must not specify other resources");
  }
  if (has_item(list, "*") && bare) {
    list.invalid("if '*' is present, must not specify other resources without subresources");
  }
}

void review_versions(const Place& place) {
  const Field& list = place.now;
  for (const Field item : list.items()) {
    bool repeated = false;
    for (std::uint32_t i = 0; i < item.index(); ++i) {
      repeated = repeated || list.value()->items()[i].as_string() == item.text();
    }
    if (repeated) {
      item.invalid("duplicate version");
    } else {
      item.invalid(dns1035_label_faults(item.text()));
    }
  }
  if (!has_item(list, "v1") && !has_item(list, "v1beta1")) {
    list.invalid("must include at least one of v1, v1beta1");
  }
}

// --- Policies

void param_kind(const Place& place) {
  const Field version = place.now["apiVersion"];
  const Field kind = place.now["kind"];
  const std::string_view text = version.text();
  const std::size_t slash = text.find('/');
  if (text.empty()) {
    version.required();
  } else if (slash != std::string_view::npos &&
             text.find('/', slash + 1) != std::string_view::npos) {
    version.invalid("unexpected GroupVersion string: " + std::string(text));
  } else {
    const std::string_view group = slash == std::string_view::npos ? "" : text.substr(0, slash);
    const std::string_view name = slash == std::string_view::npos ? text : text.substr(slash + 1);
    const std::string group_faults =
        group.empty() ? std::string() : join(dns1123_subdomain_faults(group), ",");
    if (!group_faults.empty()) version.invalid_string(group, group_faults);
    if (name.empty()) {
      version.invalid("version must be specified");
    } else if (const Faults faults = dns1035_label_faults(name); !faults.empty()) {
      version.invalid_string(name, join(faults, ","));
    }
  }
  if (kind.text().empty()) return kind.required();
  if (const Faults faults = dns1035_label_faults(ascii_lower(kind.text())); !faults.empty()) {
    kind.invalid("may have mixed case, but should otherwise match: " + join(faults, ","));
  }
}

void condition_expression(const Place& place) {
  if (trim(place.now.text(), kGoSpaces).empty()) place.now.required();
  compile_expression(place.now, *place.root, ExpressionUse::kCondition);
}

// Checks only that there is an expression: its result is an object, whose types only a cluster
// knows.
void mutation_expression(const Place& place) {
  if (trim(place.now.text(), kGoSpaces).empty()) place.now.required();
}

void validation_expression(const Place& place) {
  if (trim(place.now.text(), kGoSpaces).empty()) place.now.required("expression is not specified");
  compile_expression(place.now, *place.root, ExpressionUse::kValidation);
}

void variable_expression(const Place& place) {
  if (trim(place.now.text(), kGoSpaces).empty()) place.now.required("expression is not specified");
  compile_expression(place.now, *place.root, ExpressionUse::kVariable);
}

void message_expression(const Place& place) {
  compile_expression(place.now, *place.root, ExpressionUse::kMessage);
}

void variable_name(const Place& place) {
  const Field& name = place.now;
  if (trim(name.text(), kGoSpaces).empty()) return name.required("name is not specified");
  constexpr std::string_view kReserved =
      "true,false,null,in,as,break,const,continue,else,for,function,if,import,let,loop,package,"
      "namespace,return,var,void,while";
  if (!c_identifier_faults(name.text()).empty() || listed(kReserved, name.text())) {
    name.invalid("must be a valid CEL identifier");
  }
}

void blank(const Place& place) {
  if (!place.now.text().empty() && trim(place.now.text(), kGoSpaces).empty()) {
    place.now.invalid("must be non-empty if specified");
  }
}

void one_line(const Place& place) {
  if (trim(place.now.text(), kGoSpaces).find_first_of("\n\r") != std::string_view::npos) {
    place.now.invalid("must not contain line breaks");
  }
}

void annotation_key(const Place& place) {
  const Value* name = place.root->at({"metadata", "name"});
  const Field key = place.now["key"];
  const std::string text = (name == nullptr ? std::string() : std::string(name->as_string())) +
                           "/" + std::string(key.text());
  for (const std::string& fault : qualified_name_faults(text)) key.invalid_string(text, fault);
}

void annotation_value(const Place& place) {
  const std::size_t size = trim(place.now.text(), kGoSpaces).size();
  if (size == 0) place.now.required("valueExpression is not specified");
  if (size > 5120) return place.now.required("must not exceed 5120 bytes in length");
  compile_expression(place.now, *place.root, ExpressionUse::kAnnotation);
}

void actions(const Place& place) {
  if (!has_item(place.now, "Deny") || !has_item(place.now, "Warn")) return;
  place.now.invalid(
      "must not contain both Deny and Warn (repeating the same validation failure information in "
      "the API response and headers serves no purpose)");
}

// Checks the match constraints of a mutating policy; the path has no indices.
void mutating_operations(const Place& place) {
  constexpr std::string_view kSupported = "*,CONNECT,CREATE,UPDATE";
  const Field rules = place.now["resourceRules"];
  for (const Field rule : rules.items()) {
    const Field operations = rule["operations"];
    for (const Field operation : operations.items()) {
      if (!listed(kSupported, operation.text())) {
        rules.as("operations", operation).not_supported(kSupported);
      }
    }
  }
}

// --- Flow control

void flow_verbs(const Place& place) {
  constexpr std::string_view kVerbs =
      "get,list,create,update,delete,deletecollection,patch,watch,proxy";
  const Field& list = place.now;
  if (list.empty()) return list.required("verbs must contain at least one value");
  if (has_item(list, "*")) {
    if (list.size() > 1) list.invalid("if '*' is present, must not specify other verbs");
    return;
  }
  for (const Field verb : list.items()) {
    if (listed(kVerbs, verb.text())) continue;
    list.errors().push_back(field::not_supported(list.path(), list.printed(),
                                                 {"create", "delete", "deletecollection", "get",
                                                  "list", "patch", "proxy", "update", "watch"}));
    return;
  }
}

void flow_namespaces(const Place& place) {
  const Field list = place.now["namespaces"];
  if (list.empty()) {
    if (!place.now["clusterScope"].flag()) {
      list.required(
          "resource rules that are not cluster scoped must supply at least one namespace");
    }
    return;
  }
  if (has_item(list, "*")) {
    if (list.size() > 1) list.invalid("if '*' is present, must not specify other namespaces");
    return;
  }
  for (const Field item : list.items()) {
    for (const std::string& fault : dns1123_label_faults(item.text())) {
      item.invalid("each member of this list must be '*' or a DNS-1123 label; " + fault);
    }
  }
}

void flow_urls(const Place& place) {
  if (has_item(place.now, "*")) return;
  for (const Field item : place.now.items()) {
    const std::string_view path = item.text();
    const std::size_t star = path.find('*');
    if (path.empty()) {
      item.invalid("must not be empty");
    } else if (path[0] != '/') {
      item.invalid("must start with slash");
    } else if (path.find(' ') != std::string_view::npos) {
      item.invalid("must not contain white-space");
    } else if (path.find("//") != std::string_view::npos) {
      item.invalid("must not contain double slash");
    } else if (star != std::string_view::npos &&
               (star + 1 != path.size() || !path.ends_with("/*"))) {
      item.invalid("wildcard can only do suffix matching");
    }
  }
}

void flow_subject(const Place& place) {
  constexpr std::string_view kKinds[][2] = {
      {"serviceAccount", "ServiceAccount"}, {"user", "User"}, {"group", "Group"}};
  const Field kind = place.now["kind"];
  if (!listed("ServiceAccount,User,Group", kind.text())) {
    return kind.not_supported("Group,ServiceAccount,User");
  }
  for (const auto& [name, type] : kKinds) {
    if (!kind.is(type)) continue;
    const Field subject = place.now[name];
    const std::string is_required =
        std::string(name) + " is required when subject kind is '" + std::string(type) + "'";
    if (!subject.present()) {
      subject.required(is_required);
    } else if (name == "serviceAccount") {
      kFlowAccountRules.check({subject, nullptr, place.write, place.root});
    } else {
      subject["name"].require();
    }
  }
  for (const auto& [name, type] : kKinds) {
    if (kind.is(type) || !place.now.has(name)) continue;
    place.now[name].forbidden(std::string(name) + " is forbidden when subject kind is not '" +
                              std::string(type) + "'");
  }
}

void flow_account(const Place& place) {
  if (!place.now.is("*")) place.now.invalid(dns1123_subdomain_faults(place.now.text()));
}

void hand_size(const Place& place) {
  const Field hand = place.now["handSize"];
  const std::int64_t size = hand.number();
  const std::int64_t queues = place.now.number_at("queues");
  const std::string shown = std::to_string(size);
  if (size <= 0) {
    hand.invalid_printed(shown, "must be positive");
  } else if (size > queues) {
    hand.invalid_printed(shown,
                         "should not be greater than queues (" + std::to_string(queues) + ")");
  } else {
    const double bits =
        std::ceil(std::log2(static_cast<double>(queues)) * static_cast<double>(size));
    if (bits > 60) {
      hand.invalid_printed(shown, "required entropy bits of deckSize " + std::to_string(queues) +
                                      " and handSize " + shown + " should not be greater than 60");
    }
  }
}

// --- API services, IP addresses, certificate requests

// Checks the names of kinds with their own name format. Upstream reports these errors before those
// of metadata, and checks generateName like a name. `wanted` is the required name; empty for an IP
// address.
void add_name_faults(const Place& place, const std::string& wanted) {
  const Field metadata = place.now["metadata"];
  field::ErrorList found;
  for (const std::string_view member : {"generateName", "name"}) {
    const std::string_view name = metadata.text_at(member);
    if (name.empty()) continue;
    Faults faults;
    if (wanted.empty()) {
      faults = canonical_ip_faults(name);
    } else if (name != wanted && path_segment_faults(name).empty()) {
      faults = {"must be `spec.version+\".\"+spec.group`: " + go_quote(wanted)};
    }
    for (const std::string& fault : faults) {
      found.push_back(field::invalid(field::Path("metadata").child(member), go_quote(name), fault));
    }
  }
  field::ErrorList& errors = place.now.errors();
  errors.insert(place.write == Write::kCreate ? errors.begin() : errors.end(), found.begin(),
                found.end());
}

void api_service_name(const Place& place) {
  const Field spec = place.now["spec"];
  add_name_faults(place,
                  std::string(spec.text_at("version")) + "." + std::string(spec.text_at("group")));
}

void ip_address_name(const Place& place) { add_name_faults(place, {}); }

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

void key_usages(const Place& place) {
  constexpr std::string_view kUsages =
      "any,cert sign,client auth,code signing,content commitment,crl sign,data encipherment,"
      "decipher only,digital signature,email protection,encipher only,ipsec end system,"
      "ipsec tunnel,ipsec user,key agreement,key encipherment,microsoft sgc,netscape sgc,"
      "ocsp signing,s/mime,server auth,signing,timestamping";
  for (const Field usage : place.now.items()) usage.one_of(kUsages);
  kDistinctRules.check(place);
}

// Only the type of the PEM block is checked.
void pem_request(const Place& place) {
  const auto bytes = base64_decode(place.now.text());
  if (bytes && bytes->find("-----BEGIN CERTIFICATE REQUEST-----") != std::string::npos) return;
  place.now.invalid_printed(place.now.present() ? place.now.printed() : "null",
                            "PEM block type must be CERTIFICATE REQUEST");
}

void signer_name(const Place& place) {
  const Field& name = place.now;
  const std::string_view text = name.text();
  if (text == "kubernetes.io/legacy-unknown") {
    return name.invalid("the legacy signerName is not allowed via this API version");
  }
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || text.find('/', slash + 1) != std::string_view::npos) {
    return name.invalid(
        "must be a fully qualified domain and path of the form 'example.com/signer-name'");
  }
  const std::string_view domain = text.substr(0, slash);
  for (const std::string& fault : dns1123_subdomain_faults(domain)) {
    name.invalid_string(text, "validating label " + go_quote(domain) + ": " + fault);
  }
  if (domain.find('.') == std::string_view::npos) {
    name.invalid_string(domain, "should be a domain with at least two segments separated by dots");
  }
  const std::string_view path = text.substr(slash + 1);
  for (const std::string& fault : dns1123_subdomain_faults(path)) {
    name.invalid_string(text, "validating label " + go_quote(path) + ": " + fault);
  }
}

}  // namespace

const NamedCheck kAdmissionChecks[] = {
    {"rule-resources", &rule_resources},
    {"review-versions", &review_versions},
    {"webhook-url", &check_webhook_url},
    {"webhook-path", &check_webhook_path},
    {"param-kind", &param_kind},
    {"condition-expression", &condition_expression},
    {"mutation-expression", &mutation_expression},
    {"validation-expression", &validation_expression},
    {"variable-expression", &variable_expression},
    {"message-expression", &message_expression},
    {"variable-name", &variable_name},
    {"blank", &blank},
    {"one-line", &one_line},
    {"annotation-key", &annotation_key},
    {"annotation-value", &annotation_value},
    {"actions", &actions},
    {"mutating-operations", &mutating_operations},
    {"flow-verbs", &flow_verbs},
    {"flow-namespaces", &flow_namespaces},
    {"flow-urls", &flow_urls},
    {"flow-subject", &flow_subject},
    {"flow-account", &flow_account},
    {"hand-size", &hand_size},
    {"api-service-name", &api_service_name},
    {"ip-address-name", &ip_address_name},
    {"ca-bundle", &ca_bundle},
    {"key-usages", &key_usages},
    {"signer-name", &signer_name},
    {"pem-request", &pem_request},
};

TAB_RULES(kOperationRuleRules, R"(
operations required
operations star "if '*' is present, must not specify other operations"
operations[] enum:*,CONNECT,CREATE,DELETE,UPDATE
apiGroups required star "if '*' is present, must not specify other API groups"
apiVersions required star "if '*' is present, must not specify other API versions"
apiVersions[] required
resources required @rule-resources
scope given enum:*,Cluster,Namespaced
)");

TAB_RULES(kWebhookPortRules, R"(
. range:1-65535 "port is not valid: must be between 1 and 65535, inclusive"
)");

TAB_RULES(kMatchResourcesRules, R"(
matchPolicy present enum:Equivalent,Exact
namespaceSelector present &selector
objectSelector present &selector
resourceRules[] &named-rule
excludeResourceRules[] &named-rule
)");

TAB_RULES(kNamedRuleRules, R"(
resourceNames[] is:segment distinct
&operation-rule
)");

TAB_RULES(kMatchConditionsRules, R"(
matchConditions max:64
matchConditions[]
 expression @condition-expression
 name required is:qualified
 name opt distinct
)");

TAB_RULES(kVariablesRules, R"(
variables[]
 name @variable-name
 expression @variable-expression
)");

TAB_RULES(kParamRefRules, R"(
name opt is:segment
?name
 ?+selector
  name deny "name and selector are mutually exclusive"
selector given &selector
?name
 ?+selector
  selector deny "name and selector are mutually exclusive"
?!name
 ?-selector
  . need "one of name or selector must be specified"
parameterNotFoundAction required enum:Deny,Allow
)");

TAB_RULES(kExemptLevelRules, R"(
nominalConcurrencyShares given ge:0 "must be a non-negative integer"
lendablePercent given range:0-100
)");

TAB_RULES(kKubeletConfigRules, R"(
namespace required is:label
name required is:subdomain
kubeletConfigKey required is:config-key
)");

TAB_RULES(kConfigStatusRules, R"(
configMap given
 uid required
 resourceVersion required
 &kubelet-config
)");

}  // namespace tabernetes::registry::validation
