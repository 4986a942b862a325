// The files of tests/core/patch/vectors: cases {name, doc, patch, expected | error, httpCode}. They
// were composed for this project and confirmed against the library that kube-apiserver uses.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <sstream>
#include <string>

#include "codec/json_reader.h"
#include "codec/json_writer.h"

namespace tabernetes::patch {

inline json::Value read_vectors(const std::string& file, json::Arena& arena) {
  std::ifstream stream(TAB_SOURCE_DIR "/tests/core/patch/vectors/" + file);
  std::stringstream text;
  text << stream.rdbuf();
  const codec::JsonRead read = codec::read_json(text.str(), arena);
  REQUIRE(read.error.empty());
  REQUIRE(read.value.size() > 0);
  return read.value;
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
