// Rules and checks of webhooks and admission policies. Source: upstream 1.36
// pkg/apis/admissionregistration/validation; apiserver pkg/util/webhook/validation.go.
#include <string>

#include "base/text/ascii.h"
#include "base/text/parts.h"
#include "kinds/admissionregistration/policy_expressions.h"
#include "kinds/shared/lists.h"
#include "rules/formats.h"
#include "rules/webhook_client.h"

namespace tabernetes::registry::kinds {

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

TAB_DEFAULTS(kMatchDefaults, R"(
matchPolicy fill=Equivalent
namespaceSelector,objectSelector fill={}
)");

TAB_DEFAULTS(kWebhookDefaults, R"(
&match-defaults
failurePolicy fill=Fail
timeoutSeconds fill=10
rules[].scope fill=*
clientConfig.service given
 port fill=443
)");

TAB_DEFAULTS(kResourceDefaults, R"(
&match-defaults
resourceRules,excludeResourceRules[].scope fill=*
)");

namespace {

using json::Value;

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

void apply_expression(const Place& place) {
  if (trim(place.now.text(), kGoSpaces).empty()) place.now.required();
  compile_expression(place.now, *place.root, ExpressionUse::kApplyConfiguration);
}

void patch_expression(const Place& place) {
  if (trim(place.now.text(), kGoSpaces).empty()) place.now.required();
  compile_expression(place.now, *place.root, ExpressionUse::kJsonPatch);
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

}  // namespace

extern const NamedCheck kAdmissionChecks[] = {
    {"rule-resources", &rule_resources},
    {"review-versions", &review_versions},
    {"webhook-url", &check_webhook_url},
    {"webhook-path", &check_webhook_path},
    {"param-kind", &param_kind},
    {"condition-expression", &condition_expression},
    {"apply-expression", &apply_expression},
    {"patch-expression", &patch_expression},
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
};

}  // namespace tabernetes::registry::kinds
