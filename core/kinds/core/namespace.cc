// Namespace.
// Source: upstream 1.36 pkg/apis/core/validation.
#include "kinds/namespace.h"

#include "json/access.h"
#include "kinds/kinds.h"
#include "kinds/namespace.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kNamespaceRules, R"(
on create update
 spec.finalizers @own-finalizers
on status
 @phase
)");

namespace {

using json::Value;

constexpr ResetFields kNamespaceResets[] = {{"finalize", "status"}};

void print_namespace(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"status", "phase"}));
  row.age(object);
}

}  // namespace

const Kind kNamespaceKind{.group = "",
                          .kind = "Namespace",
                          .strategy = {.names = kLabelName,
                                       .meta_passes = {"CF", "CFUF", "UF"},
                                       .reset_fields = kNamespaceResets,
                                       .returns_deleted_object = true,
                                       .initial_status = R"({"phase":"Active"})",
                                       .set_defaults = &set_namespace_defaults,
                                       .prepare_for_create = &prepare_namespace_for_create,
                                       .prepare_for_update = &prepare_namespace_for_update,
                                       .blocks_deletion = &namespace_holds_deletion,
                                       .start_deletion = &start_namespace_deletion},
                          .rules = &kNamespaceRules,
                          .print = &print_namespace};

}  // namespace tabernetes::registry::kinds
