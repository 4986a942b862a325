// Reads the files of tests/core/patch/vectors: cases {name, doc, patch, expected | error,
// httpCode}, written for this project and verified with the library that kube-apiserver uses.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../data.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"

namespace tabernetes::patch {

inline json::Value read_vectors(const std::string& file, json::Arena& arena) {
  const json::Value cases = tests::read_data("core/patch/vectors/" + file, arena);
  REQUIRE(cases.size() > 0);
  return cases;
}

inline json::Value tree(std::string_view text, json::Arena& arena) {
  const codec::JsonRead read = codec::read_json(text, arena);
  REQUIRE(read.error.empty());
  return read.value;
}

inline std::string text_of(const json::Value& value) {
  std::string out;
  codec::write_json(value, out);
  return out;
}

}  // namespace tabernetes::patch
