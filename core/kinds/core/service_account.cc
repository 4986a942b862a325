// ServiceAccount.
#include "json/fill.h"
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

// Only the names of secrets are kept.
void keep_names_of_secrets(Value& account, json::Arena& arena) {
  for (Value& secret : items_in(account, "secrets")) {
    Value bare = Value::object(arena);
    if (const Value* name = secret.find("name")) bare.set(arena, "name", *name);
    secret = bare;
  }
}

void prepare_service_account_for_create(const HookContext& context, Value& account) {
  keep_names_of_secrets(account, context.arena);
}

void prepare_service_account_for_update(const HookContext& context, Value& account, const Value&) {
  keep_names_of_secrets(account, context.arena);
}

}  // namespace

extern const Kind kServiceAccountKind{
    .group = "",
    .kind = "ServiceAccount",
    .strategy = {.meta_passes = {"CF", "UFCF", "UF"},
                 .lists_may_lack_keys = true,
                 .returns_deleted_object = true,
                 .prepare_for_create = &prepare_service_account_for_create,
                 .prepare_for_update = &prepare_service_account_for_update,
                 .warnings = &warn_of_service_account},
    .print = &print_name_and_age};

}  // namespace tabernetes::registry::kinds
