// JSON documents drawn from a seed, made and compared by nlohmann/json: nothing of them is ours.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>

#include "json/value.h"

namespace tabernetes::judges {

using Document = nlohmann::ordered_json;
using Random = std::mt19937_64;

// The seeds to run: TABERNETES_PROPERTY_SEED and the TABERNETES_PROPERTY_RUNS behind it, or these.
struct Seeds {
  explicit Seeds(std::uint64_t runs);
  std::uint64_t first, end;
};

inline std::size_t pick(Random& random, std::size_t below) { return random() % below; }

// Text in UTF-8 with what readers and writers get wrong: quotes, breaks, blanks at the ends, marks
// of YAML, words that YAML takes for something else, characters of two to four bytes.
std::string random_text(Random& random);

// Any value; objects and arrays at most `depth` deep.
Document random_document(Random& random, int depth);
// The same, at its root an object.
Document random_object_document(Random& random, int depth);

// Whether the tree is the document: numbers by value, members in the same order.
bool same(const json::Value& tree, const Document& document);

}  // namespace tabernetes::judges
