// The names of the control loops.
#pragma once

#include <string_view>

namespace tabernetes::controllers {

inline constexpr std::string_view kServiceAccount = "serviceaccount-controller";
inline constexpr std::string_view kRootCertificate = "root-ca-certificate-publisher-controller";
inline constexpr std::string_view kGarbageCollector = "garbage-collector-controller";
inline constexpr std::string_view kNamespace = "namespace-controller";
inline constexpr std::string_view kRoleAggregation = "clusterrole-aggregation-controller";
inline constexpr std::string_view kDisruption = "disruption-controller";

}  // namespace tabernetes::controllers
