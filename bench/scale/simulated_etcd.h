// An etcd in simulated time, for the real core: it answers after a way there and back, and does one
// transaction after the other. Servers share it through a backend each.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tabernetes/backend.h"

namespace scale {

// What happens, in order of its time in seconds.
class Events {
 public:
  double now() const { return now_; }
  void at(double time, std::function<void()> what) {
    queue_.emplace(std::max(time, now_), std::move(what));
  }
  // Runs everything up to a time.
  void run(double until) {
    while (!queue_.empty() && queue_.begin()->first <= until) {
      auto node = queue_.extract(queue_.begin());
      now_ = node.key();
      node.mapped()();
    }
    now_ = until;
  }

 private:
  double now_ = 0;
  std::multimap<double, std::function<void()>> queue_;
};

struct EtcdTimes {
  double way = 0;          // there and back, the disk's part included
  double transaction = 0;  // of etcd's own time
};

class SimulatedEtcd {
 public:
  SimulatedEtcd(Events& events, EtcdTimes times) : events_(events), times_(times) {}

  class Backend final : public tabernetes::store::Backend {
   public:
    explicit Backend(SimulatedEtcd& etcd) : etcd_(etcd) {}

    // The time that this server's processor needs before what it sends leaves, and for each change
    // of others.
    std::function<double(std::size_t changes)> busy;
    double per_foreign_change = 0;

    std::optional<tabernetes::store::Stored> take_stored() override {
      tabernetes::store::Stored stored;
      for (const auto& [key, kept] : etcd_.keys_) {
        stored.changes.push_back({key, kept.first, {}, kept.second});
      }
      stored.revision = stored.oldest = etcd_.revision_;
      seen_ = etcd_.log_.size();
      return stored;
    }

    void propose(tabernetes::store::Batch batch, Done done) override {
      if (!busy) return done(outcome(etcd_.apply(batch)));  // the start takes no time
      const std::size_t size = batch.changes.size();
      double& free = etcd_.free_;
      const double sent = etcd_.events_.now() + busy(size);
      auto shared = std::make_shared<tabernetes::store::Batch>(std::move(batch));
      etcd_.events_.at(sent + etcd_.times_.way / 2, [this, &free, size, shared, done] {
        free = std::max(free, etcd_.events_.now()) +
               static_cast<double>(size) * etcd_.times_.transaction;
        const double back = free + etcd_.times_.way / 2;
        auto revisions = std::make_shared<std::vector<std::uint64_t>>(etcd_.apply(*shared));
        const double late =
            static_cast<double>(etcd_.log_.size() - seen_ - size) * per_foreign_change;
        etcd_.events_.at(back + late, [this, done, revisions] { done(outcome(*revisions)); });
      });
    }

    bool shared() const override { return true; }
    tabernetes::store::News take_news() override {
      tabernetes::store::News news;
      for (; seen_ < etcd_.log_.size(); ++seen_) news.changes.push_back(etcd_.log_[seen_]);
      news.revision = etcd_.revision_;
      return news;
    }
    void catch_up(const CaughtUp& done) override {
      if (!busy) return done(std::nullopt);
      etcd_.events_.at(etcd_.events_.now() + etcd_.times_.way, [done] { done(std::nullopt); });
    }

   private:
    tabernetes::store::Outcome outcome(std::vector<std::uint64_t> revisions) {
      tabernetes::store::Outcome outcome;
      std::map<std::pair<std::uint64_t, std::string_view>, bool> own;
      for (; seen_ < etcd_.log_.size(); ++seen_) {
        const tabernetes::store::StoredChange& change = etcd_.log_[seen_];
        if (!std::binary_search(revisions.begin(), revisions.end(), change.revision)) {
          outcome.others.push_back(change);
        }
      }
      outcome.revision = etcd_.revision_;
      outcome.revisions = std::move(revisions);
      return outcome;
    }

    SimulatedEtcd& etcd_;
    std::size_t seen_ = 0;  // of the log
  };

 private:
  // Stores the changes whose keys are where they should be. Returns where each is.
  std::vector<std::uint64_t> apply(const tabernetes::store::Batch& batch) {
    std::map<std::uint64_t, std::uint64_t> given;  // by tentative revision
    std::vector<std::uint64_t> revisions;
    for (const tabernetes::store::Change& change : batch.changes) {
      std::uint64_t replaces = change.replaces;
      if (replaces >= tabernetes::store::kFirstTentative) replaces = given[replaces];
      const auto found = keys_.find(change.key);
      const std::uint64_t at = found == keys_.end() ? 0 : found->second.first;
      std::uint64_t revision = 0;
      if (at == replaces) {
        revision = ++revision_;
        std::optional<std::string> value;
        if (change.value) value = change.value->flatten();
        if (value) {
          keys_[change.key] = {revision, *value};
        } else {
          keys_.erase(change.key);
        }
        log_.push_back({change.key, revision, {}, std::move(value)});
      }
      given[change.revision] = revision;
      revisions.push_back(revision);
    }
    return revisions;
  }

  Events& events_;
  const EtcdTimes times_;
  std::map<std::string, std::pair<std::uint64_t, std::string>> keys_;
  std::vector<tabernetes::store::StoredChange> log_;
  std::uint64_t revision_ = 1;
  double free_ = 0;  // when it has nothing to do
};

}  // namespace scale
