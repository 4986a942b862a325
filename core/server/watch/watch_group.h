// Watches with the same content share a group: it reads the store's history once, decides once
// which changes it shows, and encodes each such event once, into a log that all members read. So a
// write costs the number of groups that its key belongs to, and an event one encoding, regardless
// of the number of watches.
//
// A watch is a position in the history. It reads the log from there if the log reaches back that
// far, otherwise the history itself, until it reaches the start of the log. The log is bounded: a
// slow watch falls behind it, and in the end behind the history.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "server/pending/webhook_calls.h"
#include "server/watch/watch_content.h"
#include "server/watch/watch_event.h"
#include "store/watch_hub.h"

namespace tabernetes::server {

class Watches;

class WatchGroup final : private store::WatchHub::Watcher {
 public:
  // A watch of the group.
  class Member {
   public:
    // Its position in the history: everything before was delivered, or is not shown.
    std::size_t position = 0;

   protected:
    ~Member() = default;
    // Something is available, or the group has ended. The member no longer waits.
    virtual void wake() = 0;

   private:
    friend class WatchGroup;
    std::optional<std::size_t> waits_at_;  // index among the waiting members
  };

  struct Entry {
    std::size_t position = 0;  // in the history
    store::Revision revision = 0;
    WatchFrame frame;
  };

  // Made by Watches. The log begins at `position` of the history.
  WatchGroup(Watches& watches, WatchKey content, std::size_t position);
  ~WatchGroup() override;

  const WatchEncoder& encoder() const { return encoder_; }
  const WatchKey& content() const { return content_; }
  // Returns whether the store was restored to another state: nothing follows.
  bool ended() const { return ended_; }
  // Returns whether the resource is no longer served: its watches end after the events before that.
  bool retired() const { return retired_; }
  void retire();

  // Returns whether everything shown from `position` on is in the log or will be.
  bool reaches(std::size_t position) const { return begin_ <= position; }
  // Returns the first event at or after `position`; null if there is none before end(), or if
  // reaches() no longer holds. Reads the history as needed. Valid until the next call. REQUIRES:
  // reaches(position).
  const Entry* find(std::size_t position);
  // Returns the history position read up to.
  std::size_t end() const { return end_; }

  // Returns the event for a change, or nullopt if it is not shown. Conversions by a webhook are
  // requested through `pending`: while it lacks answers, the result is meaningless.
  std::optional<WatchFrame> show(const store::Event& change, registry::PendingWork& pending) const;
  // Returns the initial event for an object, in the same way.
  std::optional<WatchFrame> show(const store::RecordPtr& record,
                                 registry::PendingWork& pending) const;
  // Returns whether the event at end() waits for a webhook.
  bool blocked() const { return ticket_.has_value(); }
  // Return a bookmark, and an event as the first of a watch: made once for consecutive watches that
  // need the same. Valid until the next call.
  const WatchFrame& bookmark(store::Revision revision, WatchEncoder::Bookmark kind);
  const Slice& first_of_watch(const Slice& frame);

  std::size_t members() const { return members_; }
  void join() { ++members_; }
  void leave(Member& member);
  // Wakes `member` once something is shown. REQUIRES: find(member.position) just returned null, or
  // the group has ended.
  void wait(Member& member);
  void stop_waiting(Member& member);

  // Reads on, at least for waiting members. Called by Watches after changes.
  void catch_up();
  // Reads everything. Called by Watches before the history is compacted.
  void read_all();

 private:
  void changed() override;
  void interrupted() override;

  void read_on();
  void wait_for_webhook();
  store::RecordPtr shown(const store::RecordPtr& record, registry::PendingWork& pending) const;
  WatchFrame event(WatchEventType type, const store::RecordPtr& record, store::Revision version,
                   const registry::PendingWork& pending) const;
  void trim(std::size_t fresh);
  void drop_all();
  void wake_all(std::size_t position);

  Watches& watches_;
  const WatchKey content_;
  const WatchEncoder encoder_;
  std::deque<Entry> log_;  // the events shown for [begin_, end_) of the history
  std::size_t begin_, end_;
  std::size_t log_bytes_ = 0;
  std::size_t members_ = 0;
  std::vector<Member*> waiting_;
  registry::PendingWork pending_;
  std::optional<WebhookCalls::Ticket> ticket_;  // set while it waits
  bool changed_ = false;                        // since catch_up()
  bool ended_ = false;
  bool retired_ = false;

  struct {
    store::Revision revision = 0;
    WatchEncoder::Bookmark kind = WatchEncoder::Bookmark::kProgress;
    WatchFrame frame;
  } bookmark_;  // the last one
  struct {
    Slice frame, with_columns;
  } first_;  // the last one
};

}  // namespace tabernetes::server
