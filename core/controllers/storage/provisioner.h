// The provisioner `tabernetes.dev/hostless`: makes volumes for claims at once, of nothing. It tells
// what sig-storage-lib-external-provisioner tells.
#pragma once

#include <string_view>

#include "controllers/loop/control_loop.h"
#include "json/value.h"

namespace tabernetes::controllers {

inline constexpr std::string_view kHostless = "tabernetes.dev/hostless";

// Makes the claim's volume, unless there is one.
void provision_volume(const ReconcileContext& cluster, const json::Value& claim,
                      const json::Value& storage_class);

}  // namespace tabernetes::controllers
