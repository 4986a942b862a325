// All watches of a cluster: their groups, and the wake-ups that are owed to their hosts.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/entropy.h"
#include "server/pending/deadlines.h"
#include "server/pending/waiting.h"
#include "server/pending/webhook_calls.h"
#include "server/request/surface.h"
#include "server/watch/watch_group.h"
#include "store/store.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

class Watches {
 public:
  // `now` is the cluster's time. All arguments outlive this, and this outlives every watch.
  Watches(const Surface& surface, store::Store& store, Deadlines& deadlines, Waiting& waiting,
          WebhookCalls& webhooks, const Time& now, Entropy entropy)
      : surface(surface),
        store(store),
        deadlines(deadlines),
        waiting(waiting),
        webhooks(webhooks),
        now(now),
        entropy_(std::move(entropy)) {}
  Watches(const Watches&) = delete;
  Watches& operator=(const Watches&) = delete;

  // The group of `content`. A new one begins at `position` of the history, if that is not far back.
  std::shared_ptr<WatchGroup> group_of(WatchContent content, std::size_t position);
  std::size_t groups() const { return groups_.size(); }

  // Calls `visit` with what is watched and by how many watches.
  template <class Visit>
  void visit(Visit visit) const {
    for (const auto& [id, watched] : groups_) {
      if (const auto group = watched.lock()) visit(group->content(), group->members());
    }
  }

  // How long a watch lasts that does not say.
  Duration default_duration();

  // Keeps a wake-up for flush().
  void wake_later(std::function<void()> wake) { wakes_.push_back(std::move(wake)); }
  // Gives the wake-ups of all changes and deadlines since the last time, in one go: the end of
  // every call into the core that may have brought some.
  void flush();
  // Ends the watches of custom resources that are not served any more, or not in the form that
  // they had: what happened before is still given.
  void end_obsolete(const registry::ResourceTable& resources);
  // To be called before the history is compacted: open watches go on as if it was not.
  void prepare_for_compaction();

  const Surface& surface;
  store::Store& store;
  Deadlines& deadlines;
  Waiting& waiting;
  WebhookCalls& webhooks;
  const Time& now;

 private:
  friend class WatchGroup;

  // How many bytes the log of one group may hold: the more groups, the less.
  std::size_t log_limit() const;
  void forget(WatchGroup& group);

  Entropy entropy_;
  std::map<std::string, std::weak_ptr<WatchGroup>, std::less<>> groups_;  // by content
  std::vector<WatchGroup*> changed_;
  std::vector<std::function<void()>> wakes_;
};

}  // namespace tabernetes::server
