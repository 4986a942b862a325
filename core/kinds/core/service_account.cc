// ServiceAccount.
#include "kinds/row/kind.h"
#include "kinds/shared/cells.h"
#include "kinds/shared/labels.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

void warn_of_service_account(const Field& object, const Value* old, Warnings& out) {
  constexpr std::string_view kKey = "kubernetes.io/enforce-mountable-secrets";
  if ((old != nullptr && has_annotation(*old, kKey)) || !has_annotation(*object.value(), kKey)) {
    return;
  }
  out.add({"metadata.annotations[", kKey,
           "]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted "
           "secrets"});
}

}  // namespace

extern const Kind kServiceAccountKind{.group = "",
                                      .kind = "ServiceAccount",
                                      .strategy = {.meta_passes = {"CF", "UFCF", "UF"},
                                                   .returns_deleted_object = true,
                                                   .warnings = &warn_of_service_account},
                                      .print = &print_name_and_age};

}  // namespace tabernetes::registry::kinds
