// The flow control objects that every server has from the start. Source: a real server's, 1.36;
// upstream 1.36 pkg/apis/flowcontrol/bootstrap.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::server {

// The field manager of their writes.
inline constexpr std::string_view kFlowControlProducer =
    "api-priority-and-fairness-config-producer-v1";

// Returns PriorityLevelConfigurations and FlowSchemas as a sequence of JSON documents.
std::string flow_control_manifest();

}  // namespace tabernetes::server
