// One watch: first the existing objects, if requested, then events from a position in the history.
// Source: spec/list-watch.md 4.3 to 4.10.
//
// It is read in units and buffers nothing unread: for objects it holds a snapshot and the next key,
// for events its position.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/api/api_status.h"
#include "server/pending/deadlines.h"
#include "server/pending/revision_waiters.h"
#include "server/watch/watch_group.h"
#include "server/watch/watches.h"
#include "store/snapshot.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// The start and the end of a watch.
struct WatchOptions {
  // Starts with the objects as of `version` or later; otherwise with the events after it.
  bool with_objects = false;
  store::Revision version = 0;
  Duration patience = {};    // how long to wait for a version of the objects not reached yet
  bool objects_end = false;  // send a bookmark after the objects
  bool bookmarks = false;    // send bookmarks regularly
  Time end;
  std::optional<ApiStatus> error = {};  // the only event, if set
  WatchCensus::Entry entry = {};        // while it lasts
};

class WatchStream final : public Stream, private WatchGroup::Member {
 public:
  WatchStream(Watches& watches, WatchKey content, WatchOptions start);
  ~WatchStream() override { end(); }

  Rope next() override;
  bool ended() const override { return ended_; }
  void on_ready(std::function<void()> wake) override;

 private:
  void wake() override;

  void wait_for_version();
  void refuse_version();
  void begin();
  void arm_bookmark();
  void reach_deadline();
  void end();

  bool has_something();
  std::size_t limit() const;
  void take(Rope& unit);
  void take_objects(Rope& unit);
  void take_events(Rope& unit);
  void take_logged(Rope& unit);
  void take_replayed(Rope& unit);
  void take_bookmark(Rope& unit);
  bool wait_for_webhook();
  bool stands_at_block() const;
  void give(Rope& unit, const WatchFrame& frame);

  Watches& watches_;
  std::shared_ptr<WatchGroup> group_;  // null once ended
  WatchOptions start_;
  std::optional<RevisionWaiters::Handle> waits_;  // for the version
  registry::PendingWork pending_;
  std::optional<WebhookCalls::Ticket> ticket_;  // for a webhook
  Rope held_;                                   // delivered by the webhook's answer
  std::optional<store::Snapshot> objects_;
  std::string next_key_;  // in `objects_`

  // The end of the events, once the deadline has passed.
  struct Last {
    std::size_t position;
    store::Revision revision;
  };
  std::optional<Last> last_;
  std::optional<Deadlines::Handle> end_timer_, bookmark_timer_;
  bool bookmark_due_ = false;
  bool columns_given_ = false;
  bool done_ = false;  // nothing follows
  bool ended_ = false;
  std::function<void()> wake_;
};

}  // namespace tabernetes::server
