// What roles share, and what role bindings share. Source: upstream 1.36 pkg/apis/rbac/validation,
// printers/internalversion/printers.go.
#include "kinds/rbac/shared.h"

#include <string>
#include <vector>

#include "base/text/parts.h"
#include "json/access.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

// access
TAB_RULES(kPolicyRuleRules, R"(
?nonResourceURLs
 @mixed-rule
?!nonResourceURLs
 apiGroups required "resource rules must supply at least one api group"
 resources required "resource rules must supply at least one resource"
)");

TAB_RULES(kSubjectRules, R"(
name required
?kind=ServiceAccount
 name opt is:subdomain
 apiGroup opt enum:
?kind=User|Group
 apiGroup enum:rbac.authorization.k8s.io
?kind!=ServiceAccount|User|Group
 kind enum:ServiceAccount,User,Group
)");

namespace {

using json::Value;

void mixed_rule(const Place& place) {
  const Field& rule = place.now;
  if (rule["apiGroups"].empty() && rule["resources"].empty() && rule["resourceNames"].empty()) {
    return;
  }
  rule["nonResourceURLs"].invalid(
      "rules cannot apply to both regular resources and non-resource URLs");
}

std::string subjects_text(const Value& binding, std::string_view kind) {
  std::vector<std::string> texts;
  for (const Value& subject : items_at(binding, {"subjects"})) {
    if (subject.string_at("kind") != kind) continue;
    std::string text;
    if (kind == "ServiceAccount") text.append(subject.string_at("namespace")).append("/");
    texts.push_back(text.append(subject.string_at("name")));
  }
  return join(texts, ", ");
}

}  // namespace

void print_role_binding(const Value& object, Row& row) {
  row.name(object);
  row.text(std::string(text_at(object, {"roleRef", "kind"})) + "/" +
           std::string(text_at(object, {"roleRef", "name"})));
  row.age(object);
  row.text(subjects_text(object, "User"));
  row.text(subjects_text(object, "Group"));
  row.text(subjects_text(object, "ServiceAccount"));
}

extern const NamedCheck kRbacChecks[] = {
    {"mixed-rule", &mixed_rule},
};

}  // namespace tabernetes::registry::kinds
