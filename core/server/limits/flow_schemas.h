// Priority levels and flow schemas as they are stored, and which of them a request belongs to.
// Source: upstream 1.36 apiserver/pkg/util/flowcontrol/{rule,apf_controller}.go.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/authorizer.h"
#include "json/value.h"

namespace tabernetes::server {

// A PriorityLevelConfiguration.
struct LevelSpec {
  std::string name, uid;
  bool exempt = false;
  int shares = 0;
  int lendable_percent = 0;
  std::optional<int> borrowing_percent;             // unset: without limit
  int queues = 0, hand_size = 0, queue_length = 0;  // no queues: what exceeds the limit is refused
};

// A FlowSchema.
struct FlowSchemaSpec {
  enum class Flows { kOne, kByUser, kByNamespace };
  struct Subject {
    enum class Kind { kUser, kGroup, kServiceAccount };
    Kind kind = Kind::kUser;
    std::string ns, name;
  };
  using Names = std::vector<std::string>;
  struct ResourceRule {
    Names verbs, groups, resources, namespaces;
    bool cluster_scope = false;
  };
  struct PathRule {
    Names verbs, paths;
  };
  struct Rule {
    std::vector<Subject> subjects;
    std::vector<ResourceRule> resources;
    std::vector<PathRule> paths;
  };

  std::string name, uid, level;
  std::int64_t precedence = 0;
  Flows flows = Flows::kOne;
  std::vector<Rule> rules;
};

LevelSpec read_level(const json::Value& object);
FlowSchemaSpec read_flow_schema(const json::Value& object);

// Returns true if a rule of the schema covers the request.
bool covers(const FlowSchemaSpec& schema, const auth::Attributes& request);

// The most seats that any request occupies.
inline constexpr int kMostSeats = 100;

// What views and the writer share about a level. Safe on any thread.
struct LevelLoad {
  // The seats of the widest request that may run at once. What is wider has to ask the writer.
  std::atomic<int> room{kMostSeats};
};

// Requests that views have answered, each at once, by the seats that they have occupied. Safe on
// any thread.
class AnsweredByViews {
 public:
  // `writes`: watches could have heard of it, but none did. REQUIRES: 0 < seats <= kMostSeats.
  void add(int seats, bool writes) {
    by_seats_[index(seats)].fetch_add(1, std::memory_order_relaxed);
    if (writes) unheard_writes_.fetch_add(1, std::memory_order_relaxed);
  }
  std::uint64_t unheard_writes() const { return unheard_writes_.load(std::memory_order_relaxed); }
  std::uint64_t with(int seats) const {
    return by_seats_[index(seats)].load(std::memory_order_relaxed);
  }
  std::uint64_t count() const {
    std::uint64_t sum = 0;
    for (int seats = 1; seats <= kMostSeats; ++seats) sum += with(seats);
    return sum;
  }
  void forget() {
    for (auto& each : by_seats_) each.store(0, std::memory_order_relaxed);
    unheard_writes_.store(0, std::memory_order_relaxed);
  }

 private:
  static std::size_t index(int seats) { return static_cast<std::size_t>(seats - 1); }

  std::array<std::atomic<std::uint64_t>, kMostSeats> by_seats_ = {};
  std::atomic<std::uint64_t> unheard_writes_ = 0;
};

// A flow schema with its level, in the table of those in use.
struct Flow {
  FlowSchemaSpec schema;
  LevelSpec level;
  int most_seats = 0;  // of a request: see most_seats()
  std::shared_ptr<LevelLoad> load;
  std::shared_ptr<AnsweredByViews> answered_by_views;
};

// The flows in the order in which they are asked. Never changes; safe on any thread.
struct FlowTable {
  // Returns the first flow that covers the request, else the catch-all. REQUIRES: there are flows.
  const Flow& classify(const auth::Attributes& request) const;

  bool by_priority = true;  // false: only reads and writes are told apart, and there are no flows
  std::vector<Flow> flows;
  std::shared_ptr<LevelLoad> reads;  // the load of reads if not by priority; null: without limit
};

}  // namespace tabernetes::server
