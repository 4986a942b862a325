// The spread of pods that ask for none: over hosts and zones, among the pods of their services and
// their controller. Source: upstream 1.36 pkg/scheduler/framework/plugins/helper/spread.go,
// podtopologyspread/plugin.go.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/loop/control_loop.h"
#include "controllers/scheduler/pod_info.h"

namespace tabernetes::controllers::scheduling {

class DefaultSpread {
 public:
  // Observes a Service; null: it is gone.
  void set_service(std::string_view ns, std::string_view name, const json::Value* service);
  // Returns the constraints; none if nothing selects the pod.
  const std::vector<SpreadConstraint>& of(const ReconcileContext& cluster, const PodInfo& pod);

 private:
  std::string services_selector(const PodInfo& pod) const;
  std::string owner_selector(const ReconcileContext& cluster, const PodInfo& pod);

  using Pairs = std::vector<std::pair<std::string, std::string>>;
  // Selectors of services, by namespace and name.
  std::map<std::string, std::map<std::string, Pairs, std::less<>>, std::less<>> services_;
  // The selector of the last owner asked for.
  std::string owner_, owner_text_;
  store::Revision owner_revision_ = 0;
  // The last answer.
  std::string selector_;
  std::vector<SpreadConstraint> constraints_;
};

}  // namespace tabernetes::controllers::scheduling
