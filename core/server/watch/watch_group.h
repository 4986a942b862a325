// Watches that show the same share a group: it reads the store's history once, decides once what of
// it shows, and encodes each such event once, into a log that all of them read. So a write costs
// the number of groups that its key belongs to, and an event one encoding, however many watch.
//
// A watch is a place in the history. It reads the log from there if the log reaches back so far,
// else the history itself, until it comes to where the log begins. The log is bounded: who is slow
// falls out of it, and in the end out of the history.
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
  // One watch of the group.
  class Member {
   public:
    // Where in the history it is: what stands before was given to it, or does not show.
    std::size_t position = 0;

   protected:
    ~Member() = default;
    // There is something for it, or the group has ended. It waits no more.
    virtual void wake() = 0;

   private:
    friend class WatchGroup;
    std::optional<std::size_t> waits_at_;  // its place among those that wait
  };

  struct Entry {
    std::size_t position = 0;  // in the history
    store::Revision revision = 0;
    WatchFrame frame;
  };

  // Made by Watches. The log begins at `position` of the history.
  WatchGroup(Watches& watches, WatchContent content, std::size_t position);
  ~WatchGroup() override;

  const WatchEncoder& encoder() const { return encoder_; }
  const WatchContent& content() const { return content_; }
  // The store went to another state: nothing follows.
  bool ended() const { return ended_; }
  // What it shows is not served any more: its watches end when they have what happened before.
  bool retired() const { return retired_; }
  void retire();

  // Whether all that shows from `position` on is in the log or still to come into it.
  bool reaches(std::size_t position) const { return begin_ <= position; }
  // The first event at or after `position`; null if there is none before end(), or if reaches() is
  // over. Reads the history on as needed. Valid until the next call. REQUIRES: reaches(position).
  const Entry* find(std::size_t position);
  // How far the history was read.
  std::size_t end() const { return end_; }

  // Returns how a change shows; nothing if it does not. What a webhook has to convert is asked of
  // `pending`: while that lacks answers, what is returned does not count.
  std::optional<WatchFrame> show(const store::Event& change, registry::PendingWork& pending) const;
  // The same of an object at the beginning of a watch.
  std::optional<WatchFrame> show(const store::RecordPtr& record,
                                 registry::PendingWork& pending) const;
  // Whether what follows end() waits for a webhook.
  bool blocked() const { return ticket_.has_value(); }
  // A bookmark, and an event as the first one of a watch: made once for all watches that get the
  // same one next. Valid until the next call.
  const WatchFrame& bookmark(store::Revision revision, WatchEncoder::Bookmark kind);
  const Slice& first_of_watch(const Slice& frame);

  std::size_t members() const { return members_; }
  void join() { ++members_; }
  void leave(Member& member);
  // Wakes `member` once when something shows. REQUIRES: find(member.position) just gave null, or
  // the group has ended.
  void wait(Member& member);
  void stop_waiting(Member& member);

  // Reads on, at least for those who wait: for Watches, after changes.
  void catch_up();
  // Reads all that there is: for Watches, before the history is cut.
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
  const WatchContent content_;
  const WatchEncoder encoder_;
  std::deque<Entry> log_;  // what shows of [begin_, end_) of the history
  std::size_t begin_, end_;
  std::size_t log_bytes_ = 0;
  std::size_t members_ = 0;
  std::vector<Member*> waiting_;
  registry::PendingWork pending_;
  std::optional<WebhookCalls::Ticket> ticket_;  // while it waits
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
