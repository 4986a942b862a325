// Randomness as an argument: UIDs and name suffixes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tabernetes/options.h"

namespace tabernetes {

// Draws from the host's source or, reproducibly, from a seed (SplitMix64: the same numbers on every
// host; not for secrets).
class Entropy {
 public:
  Entropy(EntropySource source, std::uint64_t seed) : source_(std::move(source)), state_(seed) {}

  std::uint64_t next();
  // Returns a number below `bound`, without bias. REQUIRES: bound > 0.
  std::uint64_t below(std::uint64_t bound);

  // Returns the generator's state, which go_to() restores, or nullopt if the host's source supplies
  // the numbers (go_to() then has no effect).
  std::optional<std::uint64_t> place() const {
    return source_ ? std::nullopt : std::optional(state_);
  }
  void go_to(std::uint64_t place) { state_ = place; }

 private:
  EntropySource source_;
  std::uint64_t state_;
};

// Returns the number at `index` (from 0) of SplitMix64's sequence for `seed`.
std::uint64_t split_mix_at(std::uint64_t seed, std::uint64_t index);

// Returns a version 4 UUID in lower case, made from 122 of the 128 bits.
std::string format_uid(std::uint64_t high, std::uint64_t low);
// Returns a random UUID.
std::string make_uid(Entropy& entropy);

// Returns `count` characters of bcdfghjklmnpqrstvwxz2456789, the suffix of generated names.
std::string make_name_suffix(Entropy& entropy, int count = 5);

}  // namespace tabernetes
