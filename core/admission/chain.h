// The plugins in their order, for the registry.
#pragma once

#include "registry/admission.h"

namespace tabernetes::admission {

const registry::Admission& chain();

}  // namespace tabernetes::admission
