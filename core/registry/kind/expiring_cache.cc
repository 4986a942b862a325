#include "registry/kind/expiring_cache.h"

namespace tabernetes::registry {

const std::string* ExpiringCache::find(std::string_view key, Time now) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  const Entries::iterator entry = found->second;
  if (now < entry->until) {
    entries_.splice(entries_.begin(), entries_, entry);
    return &entry->text;
  }
  by_key_.erase(found);
  entries_.erase(entry);
  return nullptr;
}

void ExpiringCache::put(std::string key, std::string text, Time until) {
  const auto found = by_key_.find(key);
  if (found != by_key_.end()) {
    const Entries::iterator replaced = found->second;
    by_key_.erase(found);
    entries_.erase(replaced);
  }
  entries_.push_front({std::move(key), std::move(text), until});
  by_key_.emplace(entries_.front().key, entries_.begin());
  if (entries_.size() <= most_) return;
  by_key_.erase(entries_.back().key);
  entries_.pop_back();
}

}  // namespace tabernetes::registry
