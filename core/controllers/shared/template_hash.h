// The hash of a pod template, which names ReplicaSets and revisions. Equal to upstream's, so that
// names are. Source: upstream 1.36 pkg/controller/controller_utils.go (ComputeHash),
// apimachinery/pkg/util/rand (SafeEncodeString).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "json/value.h"
#include "registry/kind/resource_type.h"

namespace tabernetes::controllers {

// Writes a number in letters and digits that form no words.
std::string safe_encode(std::uint32_t number);

// Returns the hash of the pod template of a workload of that type, which has it at spec.template.
std::string template_hash(const registry::ResourceType& workload, const json::Value& pod_template,
                          std::optional<std::int64_t> collision_count);

}  // namespace tabernetes::controllers
