#include "server/pending/revision_waiters.h"

#include <utility>

namespace tabernetes::server {

RevisionWaiters::Handle RevisionWaiters::add(store::Revision revision, Time until, Resume resume) {
  const Handle handle = entries_.emplace(revision, Entry{std::move(resume), {}});
  handle->second.deadline = deadlines_.add(until, [this, handle] {
    const Resume late = std::move(handle->second.resume);
    entries_.erase(handle);
    late(false);
  });
  return handle;
}

void RevisionWaiters::cancel(Handle handle) {
  deadlines_.cancel(handle->second.deadline);
  entries_.erase(handle);
}

void RevisionWaiters::reached(store::Revision current) {
  while (!entries_.empty() && entries_.begin()->first <= current) {
    const Handle handle = entries_.begin();
    const Resume resume = std::move(handle->second.resume);
    cancel(handle);
    resume(true);
  }
}

}  // namespace tabernetes::server
