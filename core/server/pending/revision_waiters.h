// Requests that wait for a version not reached yet. Source: spec/list-watch.md 2, 3.3.
#pragma once

#include <functional>
#include <map>

#include "server/pending/deadlines.h"
#include "store/record.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

class RevisionWaiters {
 public:
  // Called once: with true when the version was reached, with false at the timeout.
  using Resume = std::function<void(bool reached)>;

  // REQUIRES: `deadlines` outlives this object.
  explicit RevisionWaiters(Deadlines& deadlines) : deadlines_(deadlines) {}
  RevisionWaiters(const RevisionWaiters&) = delete;
  RevisionWaiters& operator=(const RevisionWaiters&) = delete;

 private:
  struct Entry {
    Resume resume;
    Deadlines::Handle deadline;
  };
  using Entries = std::multimap<store::Revision, Entry>;

 public:
  using Handle = Entries::iterator;

  // The handle is valid until `resume` is called.
  Handle add(store::Revision revision, Time until, Resume resume);
  // Removes it without calling `resume`.
  void cancel(Handle handle);

  // Must be called after every change: resumes everything that waits for `current` or an earlier
  // version, in order of version, then of waiting time. Must not be called from a resume.
  void reached(store::Revision current);

  std::size_t size() const { return entries_.size(); }

 private:
  Deadlines& deadlines_;
  Entries entries_;
};

}  // namespace tabernetes::server
