// Bloom filters of labels: reject most objects that a label selector does not match without reading
// their labels.
//
// An object has 64 bits. Each of its labels sets two bits for its key and two for its key and
// value. If a bit that a selector requires is missing, the object does not match; otherwise its
// labels must be read, since the bits may come from other labels.
#pragma once

#include <cstdint>
#include <string_view>

#include "json/key_hash.h"

namespace tabernetes::registry {

using LabelBloom = std::uint64_t;

inline LabelBloom bloom_bits(std::uint32_t hash) {
  return LabelBloom{1} << (hash % 64) | LabelBloom{1} << (hash / 64 % 64);
}

inline LabelBloom bloom_of_key(std::string_view key) { return bloom_bits(json::hash_key(key, 0)); }

inline LabelBloom bloom_of_label(std::string_view key, std::string_view value) {
  return bloom_bits(json::hash_key(value, json::hash_key(key, 1)));
}

}  // namespace tabernetes::registry
