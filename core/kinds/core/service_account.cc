// ServiceAccount.
#include "kinds/kinds.h"
#include "kinds/printers.h"
#include "kinds/warn.h"

namespace tabernetes::registry::kinds {

const Kind kServiceAccountKind{.group = "",
                               .kind = "ServiceAccount",
                               .strategy = {.meta_passes = {"CF", "UFCF", "UF"},
                                            .returns_deleted_object = true,
                                            .warnings = &warn_of_service_account},
                               .print = &print_service_account};

}  // namespace tabernetes::registry::kinds
