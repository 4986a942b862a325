// Reads the JSON files of tests: vectors and recordings. It uses nlohmann/json, so that the tests
// of our own reader do not depend on that reader.
#pragma once

#include <string>

#include "json/value.h"

namespace tabernetes::tests {

// Returns the tree of `path`, a JSON file below tests/. Numbers keep their text, keys their order.
// Throws an exception for an invalid file.
json::Value read_data(const std::string& path, json::Arena& arena);

}  // namespace tabernetes::tests
