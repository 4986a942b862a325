// Conversion of HorizontalPodAutoscalers: autoscaling/v1 has one metric, and annotations for
// everything else in autoscaling/v2. Source: upstream 1.36 pkg/apis/autoscaling/v1/conversion.go.
#pragma once

#include "json/value.h"

namespace tabernetes::registry::kinds {

json::Value autoscaling_v2_to_v1(const json::Value& stored, json::Arena& arena);
json::Value autoscaling_v1_to_v2(const json::Value& object, json::Arena& arena);

}  // namespace tabernetes::registry::kinds
