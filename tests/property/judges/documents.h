// Random JSON documents, generated and compared with nlohmann/json, independently of our code.
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

// The seeds to run: from TABERNETES_PROPERTY_SEED, TABERNETES_PROPERTY_RUNS of them; or the
// default.
struct Seeds {
  explicit Seeds(std::uint64_t runs);
  std::uint64_t first, end;
};

inline std::size_t pick(Random& random, std::size_t below) { return random() % below; }

// Returns UTF-8 text with what readers and writers get wrong: quotes, line breaks, blanks at the
// ends, YAML's indicators, words with a meaning in YAML, characters of two to four bytes.
std::string random_text(Random& random);

// Returns any value; objects and arrays are at most `depth` deep.
Document random_document(Random& random, int depth);
// Like random_document(), but an object at the root.
Document random_object_document(Random& random, int depth);

// Returns whether tree and document are equal: numbers by value, members in the same order.
bool same(const json::Value& tree, const Document& document);

}  // namespace tabernetes::judges
