// KWOK's Stages (kwok.x-k8s.io/v1alpha1) as rules. A Stage is a step in the life of a pod or node;
// what its template says about the phase, readiness and exit codes becomes a rule for that step,
// the rest of the template is not executed.
#pragma once

#include <string>
#include <vector>

#include "controllers/kubelet/behaviour_rules.h"
#include "json/value.h"

namespace tabernetes::controllers::kubelet {

bool is_stage(const json::Value& document);

// Adds the rules of a Stage, and warnings about what of it has no effect.
void read_stage(const json::Value& stage, std::vector<Rule>& rules,
                std::vector<std::string>& warnings);

}  // namespace tabernetes::controllers::kubelet
