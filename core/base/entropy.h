// Randomness as an argument: uids and name suffixes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tabernetes/options.h"

namespace tabernetes {

// Draws from the host's source, or reproducibly from a seed (SplitMix64: the same numbers on
// every host; not for secrets).
class Entropy {
 public:
  Entropy(EntropySource source, std::uint64_t seed) : source_(std::move(source)), state_(seed) {}

  std::uint64_t next();
  // A number below `bound`, without bias. REQUIRES: bound > 0.
  std::uint64_t below(std::uint64_t bound);

  // Where the row of numbers stands: what makes another one go on alike. Nothing if the host's
  // source gives them, which also takes no place.
  std::optional<std::uint64_t> place() const {
    return source_ ? std::nullopt : std::optional(state_);
  }
  void go_to(std::uint64_t place) { state_ = place; }

 private:
  EntropySource source_;
  std::uint64_t state_;
};

// Number `index`, counted from 0, of those that SplitMix64 draws from `seed`.
std::uint64_t split_mix_at(std::uint64_t seed, std::uint64_t index);

// A UUID, version 4, lower case, of 122 of the bits of two random numbers.
std::string format_uid(std::uint64_t high, std::uint64_t low);
// A random one.
std::string make_uid(Entropy& entropy);

// `count` characters of bcdfghjklmnpqrstvwxz2456789, as generated names end.
std::string make_name_suffix(Entropy& entropy, int count = 5);

}  // namespace tabernetes
