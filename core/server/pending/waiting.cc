#include "server/pending/waiting.h"

#include <utility>

namespace tabernetes::server {

Waiting::Handle Waiting::add(store::Revision revision, Time until, Resume resume) {
  const Handle handle = entries_.emplace(revision, Entry{std::move(resume), {}});
  handle->second.deadline = deadlines_.add(until, [this, handle] {
    const Resume late = std::move(handle->second.resume);
    entries_.erase(handle);
    late(false);
  });
  return handle;
}

void Waiting::cancel(Handle handle) {
  deadlines_.cancel(handle->second.deadline);
  entries_.erase(handle);
}

void Waiting::reached(store::Revision current) {
  while (!entries_.empty() && entries_.begin()->first <= current) {
    const Handle handle = entries_.begin();
    const Resume resume = std::move(handle->second.resume);
    cancel(handle);
    resume(true);
  }
}

}  // namespace tabernetes::server
