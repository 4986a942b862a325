// The random numbers of one step, determined by the seed of the run and the number of the step.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/numbers/entropy.h"

namespace tabernetes::property {

class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t step)
      : entropy_({}, seed * 0x9E3779B97F4A7C15u + step * 0xD1B54A32D192ED03u) {
    entropy_.next();
  }

  std::uint64_t below(std::uint64_t bound) { return entropy_.below(bound); }
  // Returns a number from `first` to `last`, both included.
  std::uint64_t between(std::uint64_t first, std::uint64_t last) {
    return first + below(last - first + 1);
  }
  bool chance(std::uint64_t percent) { return below(100) < percent; }
  std::string pick(std::initializer_list<const char*> texts) {
    return *(texts.begin() + below(texts.size()));
  }
  template <typename T>
  const T& pick(const std::vector<T>& of) {
    return of[below(of.size())];
  }

 private:
  Entropy entropy_;
};

}  // namespace tabernetes::property
