#include "server/watch/watch_census.h"

namespace tabernetes::server {

WatchCensus::Entry::Entry(WatchCensus& census, std::string key)
    : census_(&census), key_(std::move(key)) {
  ++census.counts_[key_];
}

WatchCensus::Entry::~Entry() {
  if (census_ == nullptr) return;
  const auto found = census_->counts_.find(key_);
  if (--found->second == 0) census_->counts_.erase(found);
}

std::string WatchCensus::key_of(const Subject& subject) {
  std::string key;
  for (const std::string_view part : {subject.group, subject.resource, subject.ns, subject.name}) {
    key.append(part).append("\n");
  }
  return key;
}

int WatchCensus::count(const std::string& key) const {
  const auto found = counts_.find(key);
  return found == counts_.end() ? 0 : found->second;
}

int WatchCensus::hearers(const Subject& written) const {
  if (counts_.empty()) return 0;
  Subject subject{.group = written.group, .resource = written.resource, .ns = {}, .name = {}};
  int sum = count(key_of(subject));
  if (!written.ns.empty()) {
    subject.ns = written.ns;
    sum += count(key_of(subject));
  }
  if (written.name.empty()) return sum;
  subject.name = written.name;
  return sum + count(key_of(subject));
}

}  // namespace tabernetes::server
