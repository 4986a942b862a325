// Zones for the endpoints of services that ask for it with the annotation
// service.kubernetes.io/topology-mode: each zone gets endpoints as it has CPUs, its own first.
// Source: upstream 1.36 k8s.io/endpointslice/topologycache. Where upstream takes any of several
// zones, this takes the first by name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/loop/control_loop.h"
#include "controllers/network/slice_reconciler.h"
#include "json/value.h"

namespace tabernetes::controllers {

class TopologyHints {
 public:
  // What an Event says of a service.
  struct Report {
    std::string_view type, reason;
    std::string message;
  };

  // Returns whether the service asks for hints.
  static bool are_wanted_by(const json::Value& service);
  // Returns whether such a change of a node concerns them.
  static bool is_concerned(const WatchEvent& change);

  // The nodes have changed: they are read when they are needed next.
  void forget_nodes() { cpus_.reset(); }
  // Returns the services that have too few endpoints in a zone.
  std::vector<std::string> overloaded(const ReconcileContext& cluster);
  // Sets the hints of the service's slices of that address type; says what an Event has to tell.
  std::optional<Report> assign(const ReconcileContext& cluster, const std::string& service,
                               std::string_view address_type, std::vector<HintedSlice>& slices);
  // The service asks for none.
  std::optional<Report> withdraw(const std::string& service, std::string_view address_type);
  void clear() { *this = TopologyHints(); }

 private:
  using AmountByZone = std::map<std::string, std::int64_t, std::less<>>;

  void read_nodes(const ReconcileContext& cluster);
  void drop(const std::string& service, std::string_view address_type);

  // The CPUs of each zone, in thousandths. Empty: the nodes do not say enough; none: they must be
  // read.
  std::optional<AmountByZone> cpus_;
  // By service and address type ("NAMESPACE/NAME IPv4"), how many endpoints are for each zone.
  std::map<std::string, AmountByZone, std::less<>> given_;
  std::set<std::string> hinted_;  // services
};

}  // namespace tabernetes::controllers
