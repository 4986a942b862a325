// Marks of labels: a quick no for most objects that a label selector does not match.
//
// An object has 64 bits. Each of its labels sets two for its key, and two for its key and value.
// Where one that a selector needs is missing, no label of the object is the one looked for; where
// all are there, they may be other labels' bits, and the labels themselves have to be read.
#pragma once

#include <cstdint>
#include <string_view>

#include "json/key_hash.h"

namespace tabernetes::registry {

using LabelMarks = std::uint64_t;

inline LabelMarks two_bits(std::uint32_t hash) {
  return LabelMarks{1} << (hash % 64) | LabelMarks{1} << (hash / 64 % 64);
}

inline LabelMarks marks_of_key(std::string_view key) { return two_bits(json::hash_key(key, 0)); }

inline LabelMarks marks_of_label(std::string_view key, std::string_view value) {
  return two_bits(json::hash_key(value, json::hash_key(key, 1)));
}

}  // namespace tabernetes::registry
