// The objects of flow control that every server has from its start.
// Source: a real server's, 1.36; upstream 1.36 pkg/apis/flowcontrol/bootstrap.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::server {

// As whose they are stored.
inline constexpr std::string_view kFlowControlProducer =
    "api-priority-and-fairness-config-producer-v1";

// PriorityLevelConfigurations and FlowSchemas, as a JSON text of many documents.
std::string flow_control_manifest();

}  // namespace tabernetes::server
