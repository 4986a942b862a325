#include "controllers/loop/event_correlator.h"

#include <algorithm>
#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/algorithm/fnv.h"

namespace tabernetes::controllers {
namespace {

constexpr std::size_t kMostKeys = 4096;
constexpr std::size_t kMostSimilar = 10;  // from this many different messages on, they are combined
constexpr Duration kSimilarFor = Duration::from_seconds(600);
constexpr double kSpamBurst = 25;
constexpr double kSpamRate = 1. / 300.;  // per second
constexpr std::string_view kCombined = "(combined from similar events): ";

// A map that forgets the key that was unused for longest. Keys are hashes: of so few texts, two
// have the same one once in 10^12 such maps.
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
  T& at(std::uint64_t key) {
    const auto known = entries_.find(key);
    if (known != entries_.end()) {
      by_use_.splice(by_use_.end(), by_use_, known->second);
      return known->second->value;
    }
    if (entries_.size() == kMostKeys) return replace_oldest(key);
    entries_.emplace(key, by_use_.insert(by_use_.end(), {key, T()}));
    return by_use_.back().value;
  }

 private:
  struct Entry {
    std::uint64_t key;
    T value;
  };
  using Entries = std::list<Entry>;

  // Gives the memory of the entry that was unused for longest to a new one.
  T& replace_oldest(std::uint64_t key) {
    const auto entry = by_use_.begin();
    auto node = entries_.extract(entry->key);
    node.key() = entry->key = key;
    entry->value.clear();
    entries_.insert(std::move(node));
    by_use_.splice(by_use_.end(), by_use_, entry);
    return entry->value;
  }

  Entries by_use_;  // the last one was used last
  std::unordered_map<std::uint64_t, typename Entries::iterator> entries_;
};

struct Similar {
  std::vector<std::string> messages;  // different ones, a few
  std::optional<Time> last;

  void add(std::string_view message) {
    if (std::find(messages.begin(), messages.end(), message) == messages.end()) {
      messages.emplace_back(message);
    }
  }
  void clear() {
    messages.clear();
    last.reset();
  }
};

struct Logged {
  std::int64_t count = 0;
  Time first;
  std::string name;

  void clear() {
    count = 0;
    name.clear();
  }
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
  void clear() { *this = Allowance(); }
};

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
  // The keys of three maps: each continues the one before.
  Fnv64a hash;
  const auto extend = [&](std::string_view part) {
    hash.add(part);
    hash.add({"", 1});
    return hash.value();
  };
  extend(event.object);
  const std::uint64_t of_type = extend(event.type), group = extend(event.reason),
                      all = extend(event.message);

  Similar& similar = memory.similar.at(group);
  if (similar.last && kSimilarFor < now - *similar.last) similar.messages.clear();
  similar.add(event.message);
  similar.last = now;

  Decision decision;
  decision.message = event.message;
  std::uint64_t key = all;
  if (similar.messages.size() >= kMostSimilar) {
    // Upstream forgets any one of them.
    similar.messages.erase(std::min_element(similar.messages.begin(), similar.messages.end()));
    decision.message.insert(0, kCombined);
    decision.combined = true;
    key = group;
  }
  Logged& logged = memory.logged.at(key);
  if (logged.count == 0) logged.first = now;
  decision.count = ++logged.count;
  decision.first = logged.first;
  decision.name = &logged.name;
  decision.skip = !memory.allowed.at(of_type).take(now);
  return decision;
}

}  // namespace tabernetes::controllers
