// Reads the options of a cluster from a JavaScript object: CoreOptions of wasm/src/options.ts, with
// the seed as a decimal text, feature gates as a list of pairs, and `compression` added.
#pragma once

#include <emscripten/val.h>

#include "tabernetes/options.h"

namespace tabernetes::wasm {

Options options_of(const emscripten::val& given);

}  // namespace tabernetes::wasm
