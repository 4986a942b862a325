// The garbage collector: deletes what has lost all its owners, lets go of dependents that are to be
// orphaned, and ends deletions that waited for dependents. Source: spec/lifecycle.md 4; upstream
// 1.36 pkg/controller/garbagecollector.
//
// Upstream keeps a graph of what its informers saw and asks the server before it acts, since the
// graph may be late. Here nothing is late: the graph is the store and an index of owners, and a
// node that was never seen is simply one that is not there.
#pragma once

#include <map>
#include <string>

#include "controllers/control_loop.h"
#include "controllers/owned_metadata.h"
#include "controllers/owner_index.h"
#include "controllers/work_queue.h"

namespace tabernetes::controllers {

class GarbageCollector final : public ControlLoop {
 public:
  void observe(const registry::Registry& registry, const Change& change) override;
  void restart() override;
  std::optional<Time> next() const override { return queue_.next(); }
  void work(const Turn& turn) override;
  std::unique_ptr<ControlLoop> clone() const override {
    return std::make_unique<GarbageCollector>(*this);
  }

 private:
  // An object that is to be looked at, if it is still the one with this uid.
  struct Item {
    registry::ObjectRef ref;
    std::string_view key, uid;
  };
  struct Classified;

  // What a piece of work is to do: look at an object; look, and tell of owners that live elsewhere;
  // orphan its dependents.
  static constexpr char kLook = 'l';
  static constexpr char kVerify = 'v';
  static constexpr char kOrphan = 'o';

  void changed_owners(const registry::Registry& registry, const Change& change,
                      const OwnedMetadata& before, const OwnedMetadata& now);
  void changed_phase(const registry::Registry& registry, const Change& change,
                     const OwnedMetadata& before, const OwnedMetadata& now);
  void gone(const registry::Registry& registry, const Change& change, const OwnedMetadata& last);
  void add_dependents(const registry::Registry& registry, std::string_view owner, Time due);
  // The owner, if it waits for its dependents.
  void add_waiting(std::string_view owner, Time due);
  void add(char action, std::string_view key, std::string_view uid, Time due);

  // These say whether they came to an end, not whether anything was to be done.
  bool look_at(const Turn& turn, const Item& item, const OwnedMetadata& metadata);
  bool end_wait(const Turn& turn, const Item& item);
  bool orphan(const Turn& turn, const Item& item);
  bool has_waiting_dependent(const Turn& turn, std::string_view uid) const;

  OwnerIndex owners_;
  // Uids of the objects whose deletion waits for their dependents', to their keys: a dependent that
  // names such a uid blocks it wherever it lives.
  std::map<std::string, std::string, std::less<>> waiting_;
  WorkQueue queue_;
};

}  // namespace tabernetes::controllers
