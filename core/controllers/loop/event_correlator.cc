#include "controllers/loop/event_correlator.h"

#include <algorithm>
#include <list>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace tabernetes::controllers {
namespace {

constexpr std::size_t kMostKeys = 4096;
constexpr std::size_t kMostSimilar = 10;  // from this many different messages on, they are combined
constexpr Duration kSimilarFor = Duration::from_seconds(600);
constexpr double kSpamBurst = 25;
constexpr double kSpamRate = 1. / 300.;  // per second
constexpr std::string_view kCombined = "(combined from similar events): ";

// A map that forgets the key that was unused for longest.
template <typename T>
class RecentMap {
 public:
  RecentMap() = default;
  RecentMap(const RecentMap& other) : by_use_(other.by_use_) {
    for (auto entry = by_use_.begin(); entry != by_use_.end(); ++entry) {
      entries_.emplace(entry->key, entry);
    }
  }
  RecentMap& operator=(const RecentMap&) = delete;

  // Returns the key's value, a new one if it has none.
  T& at(const std::string& key) {
    const auto known = entries_.find(key);
    if (known != entries_.end()) {
      by_use_.splice(by_use_.end(), by_use_, known->second);
      return known->second->value;
    }
    if (entries_.size() == kMostKeys) return replace_oldest(key);
    const auto entry = by_use_.insert(by_use_.end(), {key, T()});
    entries_.emplace(entry->key, entry);
    return entry->value;
  }

 private:
  struct Entry {
    std::string key;
    T value;
  };
  using Entries = std::list<Entry>;

  // Gives the memory of the entry that was unused for longest to a new one.
  T& replace_oldest(const std::string& key) {
    const auto entry = by_use_.begin();
    auto node = entries_.extract(entry->key);
    entry->key = key;
    entry->value = T();
    node.key() = entry->key;
    entries_.insert(std::move(node));
    by_use_.splice(by_use_.end(), by_use_, entry);
    return entry->value;
  }

  Entries by_use_;  // the last one was used last
  std::unordered_map<std::string_view, typename Entries::iterator> entries_;
};

struct Similar {
  std::set<std::string, std::less<>> messages;
  std::optional<Time> last;
};

struct Logged {
  std::int64_t count = 0;
  Time first;
  std::string name;
};

// Tokens of a bucket.
struct Allowance {
  double tokens = kSpamBurst;
  std::optional<Time> last;

  bool take(Time now) {
    if (last) tokens = std::min(kSpamBurst, tokens + (now - *last).seconds() * kSpamRate);
    last = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  }
};

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  std::size_t size = parts.size();
  for (const std::string_view part : parts) size += part.size();
  text.reserve(size);
  for (const std::string_view part : parts) text.append(part).push_back('\0');
  return text;
}

}  // namespace

struct EventCorrelator::Memory {
  RecentMap<Similar> similar;
  RecentMap<Logged> logged;
  RecentMap<Allowance> allowed;
};

EventCorrelator::EventCorrelator() : memory_(std::make_shared<Memory>()) {}

EventCorrelator::Memory& EventCorrelator::memory() {
  if (memory_.use_count() > 1) memory_ = std::make_shared<Memory>(*memory_);
  return *memory_;
}

void EventCorrelator::clear() { memory_ = std::make_shared<Memory>(); }

EventCorrelator::Decision EventCorrelator::correlate(const ReportedEvent& event, Time now) {
  Memory& memory = this->memory();
  const std::string group = joined({event.object, event.type, event.reason});
  Similar& similar = memory.similar.at(group);
  if (similar.last && kSimilarFor < now - *similar.last) similar.messages.clear();
  similar.messages.emplace(event.message);
  similar.last = now;

  Decision decision;
  decision.message = event.message;
  decision.key = joined({event.object, event.type, event.reason, event.message});
  if (similar.messages.size() >= kMostSimilar) {
    // Upstream forgets any one of them.
    similar.messages.erase(similar.messages.begin());
    decision.message.insert(0, kCombined);
    decision.key = group;
  }
  Logged& logged = memory.logged.at(decision.key);
  if (logged.count == 0) logged.first = now;
  decision.count = ++logged.count;
  decision.first = logged.first;
  decision.name = logged.name;
  decision.skip = !memory.allowed.at(joined({event.object, event.type})).take(now);
  return decision;
}

void EventCorrelator::wrote(const Decision& decision, std::string_view name) {
  memory().logged.at(decision.key).name = name;
}

}  // namespace tabernetes::controllers
