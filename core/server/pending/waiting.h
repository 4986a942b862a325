// What waits for a version that is not reached yet. Source: spec/list-watch.md 2, 3.3.
#pragma once

#include <functional>
#include <map>

#include "server/pending/deadlines.h"
#include "store/record.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

class Waiting {
 public:
  // Called once: with true when the version was reached, with false when the time was over.
  using Resume = std::function<void(bool reached)>;

  // `deadlines` outlives this object.
  explicit Waiting(Deadlines& deadlines) : deadlines_(deadlines) {}
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  struct Entry {
    Resume resume;
    Deadlines::Handle deadline;
  };
  using Entries = std::multimap<store::Revision, Entry>;

 public:
  using Handle = Entries::iterator;

  // Good until `resume` is called.
  Handle add(store::Revision revision, Time until, Resume resume);
  // Forgets it: `resume` is not called.
  void cancel(Handle handle);

  // To be told after every change: resumes what waited for `current` or an earlier version, in the
  // order of the versions, of one version the longest waiting first. Not from within a resume.
  void reached(store::Revision current);

  std::size_t size() const { return entries_.size(); }

 private:
  Deadlines& deadlines_;
  Entries entries_;
};

}  // namespace tabernetes::server
