// How claims and volumes are bound to each other. Source: upstream 1.36
// component-helpers/storage/volume/pv_helpers.go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "controllers/loop/control_loop.h"
#include "json/value.h"

namespace tabernetes::controllers {

inline constexpr std::string_view kBindCompleted = "pv.kubernetes.io/bind-completed";
inline constexpr std::string_view kBoundByController = "pv.kubernetes.io/bound-by-controller";
inline constexpr std::string_view kProvisionedBy = "pv.kubernetes.io/provisioned-by";
inline constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";

bool has_annotation(const json::Value& object, std::string_view name);
void annotate(json::Value& object, std::string_view name, std::string_view text,
              json::Arena& arena);

// Returns the class of a claim or a volume, or an empty text.
std::string_view storage_class_of(const json::Value& object);
// Returns whether volumes of the class are bound when a pod needs them.
bool waits_for_consumer(const ReconcileContext& cluster, std::string_view storage_class);

// Returns whether the volume's claimRef means the claim, with its uid or without any.
bool is_bound_to(const json::Value& volume, const json::Value& claim);
// Returns why the volume cannot be the claim's, or an empty text.
std::string mismatch(const json::Value& volume, const json::Value& claim);

// Returns the volume for the claim: the one that is bound to it, else the smallest that suffices,
// unless that must wait for a pod. Null: there is none.
const json::Value* find_volume(const std::vector<json::Value>& volumes, const json::Value& claim,
                               bool waits);

// Returns a reference to the claim as volumes have it.
json::Value claim_reference(const json::Value& claim, json::Arena& arena);

}  // namespace tabernetes::controllers
