// The row of registry/strategy.h that all custom resources share.
#pragma once

#include "registry/strategy.h"

namespace tabernetes::registry::crd {

const Strategy& strategy();

}  // namespace tabernetes::registry::crd
