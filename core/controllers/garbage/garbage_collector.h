// The garbage collector: deletes objects that have lost all their owners, removes owner references
// from dependents to be orphaned, and ends deletions that waited for dependents. Source:
// spec/lifecycle.md 4; upstream 1.36 pkg/controller/garbagecollector.
//
// Upstream keeps a graph of what its informers saw and asks the server before it acts, since the
// graph may be outdated. Here the graph is the store itself and an index of owners, always current;
// a node that was never seen simply does not exist.
#pragma once

#include <map>
#include <string>

#include "controllers/garbage/owned_metadata.h"
#include "controllers/garbage/owner_index.h"
#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class GarbageCollector final : public QueuedLoop<GarbageCollector> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  void reconcile(const ReconcileContext& cluster, const std::string& text) override;
  void forget() override;

  // An object to reconcile, if it still has this uid.
  struct Item {
    registry::ObjectRef ref;
    std::string_view key, uid;
  };
  enum class Progress { kDone, kWaits, kFailed };

  // Actions: reconcile an object; reconcile it and report owners in other namespaces; orphan its
  // dependents; let it go after that.
  static constexpr char kLook = 'l';
  static constexpr char kVerify = 'v';
  static constexpr char kOrphan = 'o';
  static constexpr char kRelease = 'r';
  // The last of another server's object.
  static constexpr char kReleaseElsewhere = 'e';

  void on_owners_changed(const registry::Registry& registry, const WatchEvent& change,
                         const OwnerMetadata& before, const OwnerMetadata& now);
  void on_phase_changed(const registry::Registry& registry, const WatchEvent& change,
                        const OwnerMetadata& before, const OwnerMetadata& now);
  void gone(const registry::Registry& registry, const WatchEvent& change,
            const OwnerMetadata& last);
  void add_dependents(const registry::Registry& registry, std::string_view owner, Time due);
  // Queues the owner if it waits for its dependents.
  void add_waiting(std::string_view owner, Time due);
  void add(char action, std::string_view key, std::string_view uid, Time due);

  // These return whether they completed, not whether they changed anything.
  bool look_at(const ReconcileContext& cluster, const Item& item, const OwnerMetadata& metadata,
               const std::string& text);
  bool end_wait(const ReconcileContext& cluster, const Item& item);
  bool orphan(const ReconcileContext& cluster, const Item& item, const std::string& text);
  bool orphan_here(const ReconcileContext& cluster, std::string_view owner);
  // Looks at the dependents here that block the deletion of an owner. Returns whether there are
  // any.
  bool look_at_blocking_dependents(const ReconcileContext& cluster, std::string_view owner);
  bool has_waiting_dependent(const ReconcileContext& cluster, std::string_view uid) const;

  // With objects of aggregated API servers. The first returns false if the key is none of them.
  bool reconcile_elsewhere(const ReconcileContext& cluster, const std::string& text);
  void look_elsewhere(const ReconcileContext& cluster, const std::string& text);
  void look_at_owners(const ReconcileContext& cluster, const AggregatedObject& object,
                      const OwnerMetadata& metadata, const std::string& text);
  void end_wait_elsewhere(const ReconcileContext& cluster, const AggregatedObject& object,
                          const std::string& text);
  void orphan_dependents_of(const ReconcileContext& cluster, std::string_view owner,
                            const std::string& text);
  void release_elsewhere(const ReconcileContext& cluster, const std::string& text);
  // Sends the request, and again later if it fails.
  void send(const ReconcileContext& cluster, const AggregatedRequest& request,
            const std::string& text);
  bool has_any_dependents(const ReconcileContext& cluster, std::string_view uid) const;
  bool look_at_dependents_elsewhere(const ReconcileContext& cluster, std::string_view owner);
  Progress orphan_elsewhere(const ReconcileContext& cluster, std::string_view owner,
                            const std::string& text);

  // How long an object outlives its orphaned dependents: their other observers take note of them
  // meanwhile, and may write to the object.
  static constexpr Duration kOrphansNoticed{5 * kReactionDelay.nanoseconds};

  OwnerIndex owners_;
  // Keys by uid of objects whose deletion waits for their dependents, empty for those of other
  // servers: a dependent that refers to such a uid blocks the deletion from any namespace.
  std::map<std::string, std::string, std::less<>> waiting_;
};

}  // namespace tabernetes::controllers
