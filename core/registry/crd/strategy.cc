#include "registry/crd/strategy.h"

namespace tabernetes::registry::crd {

const Strategy& strategy() {
  static constexpr Strategy kCustom{.group = "",
                                    .kind = "",
                                    .generation = Generation::kBody,
                                    .allow_unconditional_update = false,
                                    .status_keeps_metadata = true};
  return kCustom;
}

}  // namespace tabernetes::registry::crd
