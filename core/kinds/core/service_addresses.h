// Allocation of addresses and ports of services.
//
// Ranges: 10.96.0.0/16 for cluster addresses, 30000-32767 for node ports. Free ones are chosen at
// random from the upper part of a range first; the lower part is meant for values set by users, and
// used only when the upper one is full. Source: spec/lifecycle.md 8.11; tested by
// tests/core/kinds/core/service_addresses_test.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers/entropy.h"

namespace tabernetes::registry::kinds {

// The numbers below `size`, each free or taken.
class NumberPool {
 public:
  // Numbers below `first_choice` are returned only when all others are taken.
  NumberPool(std::uint32_t size, std::uint32_t first_choice)
      : size_(size), first_choice_(first_choice) {}

  bool is_taken(std::uint32_t number) const;
  void take(std::uint32_t number);
  void release(std::uint32_t number);
  // Returns a free number without taking it; nullopt if all are taken.
  std::optional<std::uint32_t> pick(Entropy& entropy) const;

 private:
  std::optional<std::uint32_t> pick_between(std::uint32_t from, std::uint32_t to,
                                            Entropy& entropy) const;

  std::uint32_t size_;
  std::uint32_t first_choice_;
  std::vector<bool> taken_;  // empty: all are free
};

// The cluster addresses, without the first of the range (the network) and the last (broadcast).
class ServiceAddresses {
 public:
  enum class State { kFree, kTaken, kOutside };

  State state(std::string_view address) const;
  void take(std::string_view address);
  void release(std::string_view address);
  std::optional<std::string> pick(Entropy& entropy) const;

 private:
  NumberPool pool_{65534, 256};
};

class ServicePorts {
 public:
  enum class State { kFree, kTaken, kOutside };
  static constexpr std::int64_t kFirst = 30000;
  static constexpr std::int64_t kLast = 32767;

  State state(std::int64_t port) const;
  void take(std::int64_t port);
  void release(std::int64_t port);
  // Returns a free port that is not among `not_these`.
  std::optional<std::int64_t> pick(Entropy& entropy,
                                   const std::vector<std::int64_t>& not_these) const;

 private:
  NumberPool pool_{kLast - kFirst + 1, 86};
};

}  // namespace tabernetes::registry::kinds
