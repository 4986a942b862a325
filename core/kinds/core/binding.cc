// Binding.
#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

extern const Kind kBindingKind{
    .group = "", .kind = "Binding", .strategy = {.meta_passes = {"CF", "UF", "UF"}}};

}  // namespace tabernetes::registry::kinds
