// Source: upstream 1.36 pkg/apis/core/validation, pkg/api/node/util.go.
#include "kinds/shared/node_selectors.h"

#include <string>

#include "base/api/names.h"
#include "base/go/text.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kNodeRequirementRules, R"(
?operator=In|NotIn
 values required "must be specified when `operator` is 'In' or 'NotIn'"
?operator=Exists|DoesNotExist
 values forbid "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
?operator=Gt|Lt
 values @one-value
?operator!=In|NotIn|Exists|DoesNotExist|Gt|Lt
 operator bad "not a valid selector operator"
key is:qualified
)");

TAB_RULES(kNodeFieldRules, R"(
?operator=In|NotIn
 values @one-field-value
?operator!=In|NotIn
 operator bad "not a valid selector operator"
?key!=metadata.name
 key bad "not a valid field selector key"
?key=metadata.name
 values[] is:subdomain
)");

TAB_RULES(kNodeSelectorRules, R"(
nodeSelectorTerms required "must have at least one node selector term"
nodeSelectorTerms[]
 matchExpressions[] &node-requirement
  values[] is:label-value
 matchFields[] &node-field
)");

TAB_RULES(kPreferredNodeTermRules, R"(
matchExpressions[] &node-requirement
matchFields[] &node-field
)");

namespace {

void one_value(const Place& place) {
  if (place.now.size() != 1) {
    place.now.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
  }
}

void one_field_value(const Place& place) {
  if (place.now.size() != 1) {
    place.now.required(
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
  }
}

struct OldLabel {
  std::string_view key, since, use;
};
constexpr OldLabel kOldLabels[] = {
    {"beta.kubernetes.io/arch", "1.14", "kubernetes.io/arch"},
    {"beta.kubernetes.io/os", "1.14", "kubernetes.io/os"},
    {"failure-domain.beta.kubernetes.io/region", "1.17", "topology.kubernetes.io/region"},
    {"failure-domain.beta.kubernetes.io/zone", "1.17", "topology.kubernetes.io/zone"},
    {"beta.kubernetes.io/instance-type", "1.17", "node.kubernetes.io/instance-type"},
    {"app.kubernetes.io/created-by", "1.9", {}},
    {"scheduler.alpha.kubernetes.io/preferAvoidPods", "1.22", "Taints and Tolerations"},
    {"node-role.kubernetes.io/master", {}, "node-role.kubernetes.io/control-plane"},
};

// Returns advice about a label, or an empty text.
std::string advice(std::string_view label) {
  for (const OldLabel& old : kOldLabels) {
    if (old.key != label) continue;
    std::string text;
    if (!old.since.empty()) text = "deprecated since v" + std::string(old.since);
    if (old.use.empty()) return text;
    if (!text.empty()) text += "; ";
    const bool is_label = old.use.find('/') != std::string_view::npos;
    return text + "use " + (is_label ? go_quote(old.use) : std::string(old.use)) + " instead";
  }
  return {};
}

}  // namespace

void warn_of_node_label(const Field& place, std::string_view label, Warnings& out,
                        std::string_view key) {
  const std::string text = advice(label);
  if (!text.empty()) out.at(place, {key, key.empty() ? "" : " is ", text});
}

void warn_of_node_term(const Field& term, bool values, Warnings& out) {
  const Field expressions = term["matchExpressions"];
  for (const Field expression : expressions.items()) {
    const Field key = expression["key"];
    warn_of_node_label(key, key.text(), out, key.text());
    if (!values) continue;
    const Field list = expression["values"];
    for (const Field value : list.items()) {
      for (const std::string& fault : label_value_faults(value.text())) {
        out.at(value, {value.text(), " is invalid, ", fault});
      }
    }
  }
}

extern const NamedCheck kNodeSelectorsChecks[] = {
    {"one-value", &one_value},
    {"one-field-value", &one_field_value},
};

}  // namespace tabernetes::registry::kinds
