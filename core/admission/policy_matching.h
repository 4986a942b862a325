// Matches requests against a policy's matchConstraints, a binding's matchResources, or the rules
// and selectors of a webhook. Source: upstream 1.36 apiserver
// pkg/admission/plugin/policy/matching/matching.go, pkg/admission/plugin/webhook/predicates.
#pragma once

#include "admission/policy_request.h"

namespace tabernetes::admission {

// Returns whether a label selector selects these labels; null labels are empty.
bool selects(const json::Value* selector, const json::Value* labels);

// Returns the resource as which `resources` (a MatchResources) matches the request: its own, or an
// equivalent one named by the rules. Returns null if it does not match.
const registry::ResourceType* match(const json::Value& resources, const PolicyRequest& request);

// Returns the same for a webhook. Errors: 404 if its selector needs a namespace that is missing.
Result<const registry::ResourceType*> match_webhook(const json::Value& webhook,
                                                    const PolicyRequest& request);

}  // namespace tabernetes::admission
