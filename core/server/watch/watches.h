// All watches of a cluster: their groups, and the wake-ups due to their hosts.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/numbers/entropy.h"
#include "server/pending/deadlines.h"
#include "server/pending/revision_waiters.h"
#include "server/pending/webhook_calls.h"
#include "server/request/server_context.h"
#include "server/watch/watch_census.h"
#include "server/watch/watch_group.h"
#include "store/store.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

class Watches {
 public:
  // `now` is the cluster's time. REQUIRES: all arguments outlive this object, and this object every
  // watch.
  Watches(const ServerContext& server, store::Store& store, Deadlines& deadlines,
          RevisionWaiters& waiting, WebhookCalls& webhooks, const Time& now, Entropy entropy)
      : server(server),
        store(store),
        deadlines(deadlines),
        waiting(waiting),
        webhooks(webhooks),
        now(now),
        entropy_(std::move(entropy)) {}
  Watches(const Watches&) = delete;
  Watches& operator=(const Watches&) = delete;

  // Returns the group of `content`. A new one begins at `position` of the history if that is not
  // far back.
  std::shared_ptr<WatchGroup> group_of(WatchKey content, std::size_t position);
  std::size_t groups() const { return groups_.size(); }

  // Calls `visit` with the content and the number of watches of each group.
  template <class Visit>
  void visit(Visit visit) const {
    for (const auto& [id, watched] : groups_) {
      if (const auto group = watched.lock()) visit(group->content(), group->members());
    }
  }

  // Returns the duration of a watch without timeoutSeconds.
  Duration default_duration();

  // Queues a wake-up for flush().
  void wake_later(std::function<void()> wake) { wakes_.push_back(std::move(wake)); }
  // Runs the wake-ups of all changes and deadlines since the last call. Must end every call into
  // the core that may have caused some.
  void flush();
  // Ends the watches of custom resources that are no longer served, or not in the same form;
  // earlier events are still delivered.
  void end_obsolete(const registry::ResourceTable& resources);
  // Must be called before the history is compacted, so that open watches are not affected.
  void prepare_for_compaction();

  const ServerContext& server;
  store::Store& store;
  Deadlines& deadlines;
  RevisionWaiters& waiting;
  WebhookCalls& webhooks;
  const Time& now;
  WatchCensus census;

 private:
  friend class WatchGroup;

  // Returns the size limit of one group's log, which falls with the number of groups.
  std::size_t log_limit() const;
  void forget(WatchGroup& group);

  Entropy entropy_;
  std::map<std::string, std::weak_ptr<WatchGroup>, std::less<>> groups_;  // by content
  std::vector<WatchGroup*> changed_;
  std::vector<std::function<void()>> wakes_;
};

}  // namespace tabernetes::server
