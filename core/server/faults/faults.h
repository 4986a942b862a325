// Decides what goes wrong with which request, and counts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/numbers/entropy.h"
#include "server/faults/fault_rules.h"

namespace tabernetes::server {

class Faults {
 public:
  struct Count {
    std::int64_t fitting = 0;  // requests that fit the rule
    std::int64_t hit = 0;      // those to which it did something
  };

  // `rules`: never null.
  Faults(std::shared_ptr<const FaultRules> rules, Entropy entropy) : entropy_(std::move(entropy)) {
    set(std::move(rules));
  }

  // Replaces the rules; counts begin anew.
  void set(std::shared_ptr<const FaultRules> rules) {
    rules_ = std::move(rules);
    counts_.assign(rules_->rules.size(), Count());
  }

  bool any() const { return !rules_->rules.empty(); }
  const FaultRules& rules() const { return *rules_; }
  // One for each rule.
  const std::vector<Count>& counts() const { return counts_; }

  // Returns what is done to a request: what the first rule says that fits and whose turn it is.
  // Returns nullopt if nothing is. The delay is drawn: delay_from and delay_to are the same.
  std::optional<FaultAct> meet(const FaultSubject& subject);

 private:
  bool strikes(const FaultRule& rule, std::int64_t nth);

  std::shared_ptr<const FaultRules> rules_;
  std::vector<Count> counts_;
  Entropy entropy_;
};

}  // namespace tabernetes::server
