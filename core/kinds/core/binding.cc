// Binding.
#include "kinds/kinds.h"

namespace tabernetes::registry::kinds {

const Kind kBindingKind{
    .group = "", .kind = "Binding", .strategy = {.meta_passes = {"CF", "UF", "UF"}}};

}  // namespace tabernetes::registry::kinds
