// The files of tests: vectors and recordings. nlohmann/json reads them, so that our own reader is
// not what its tests stand on.
#pragma once

#include <string>

#include "json/value.h"

namespace tabernetes::tests {

// The tree of `path`, a JSON file below tests/. Numbers keep their text, keys their order. Throws
// what is wrong with it.
json::Value read_data(const std::string& path, json::Arena& arena);

}  // namespace tabernetes::tests
