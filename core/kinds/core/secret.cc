// Secret.
// Source: upstream 1.36 pkg/apis/core/validation.
#include "json/access.h"
#include "kinds/config_data.h"
#include "kinds/defaults_config.h"
#include "kinds/kinds.h"
#include "kinds/warn.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kSecretRules, R"(
@secret-type
)");

namespace {

using json::Value;

void print_secret(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"type"}));
  row.number(members_at(object, {"data"}).size());
  row.age(object);
}

}  // namespace

const Kind kSecretKind{.group = "",
                       .kind = "Secret",
                       .strategy = {.meta_passes = {"CF", "UFCF", "UF"},
                                    .set_defaults = &set_secret_defaults,
                                    .validate = &validate_secret,
                                    .validate_update = &validate_secret_update,
                                    .warnings = &warn_of_secret},
                       .rules = &kSecretRules,
                       .print = &print_secret};

}  // namespace tabernetes::registry::kinds
