// Source: upstream 1.36 pkg/apis/core/validation, ValidateTolerations.
#include "kinds/shared/tolerations.h"

#include <string>

#include "json/access.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kTolerationRules, R"(
key opt is:qualified
@toleration-key
?tolerationSeconds
 ?effect!=NoExecute
  effect bad "effect must be 'NoExecute' when `tolerationSeconds` is set"
@toleration-value
effect opt enum:NoSchedule,PreferNoSchedule,NoExecute
)");

TAB_RULES(kTolerationsRules, R"(
[] &toleration
)");

namespace {

void toleration_key(const Place& place) {
  const Field op = place.now["operator"];
  if (place.now.text_at("key").empty() && !op.is("Exists")) {
    op.invalid(
        "operator must be Exists when `key` is empty, which means \"match all values and all "
        "keys\"");
  }
}

void toleration_value(const Place& place) {
  const Field op = place.now["operator"];
  const std::string_view value = place.now.text_at("value");
  if (op.is("Equal") || op.text().empty()) {
    std::string faults;
    for (const std::string& fault : label_value_faults(value)) {
      faults.append(faults.empty() ? "" : ";").append(fault);
    }
    if (!faults.empty()) op.invalid_string(value, faults);
  } else if (op.is("Exists")) {
    if (!value.empty()) op.invalid_string(value, "value must be empty when `operator` is 'Exists'");
  } else if (op.is("Lt") || op.is("Gt")) {
    op.not_supported("Equal,Exists,Lt,Gt");
  } else {
    op.not_supported("Equal,Exists");
  }
}

}  // namespace

extern const NamedCheck kTolerationsChecks[] = {
    {"toleration-key", &toleration_key},
    {"toleration-value", &toleration_value},
};

}  // namespace tabernetes::registry::kinds
