// Reads and judges the options that say who may do what: those of CoreOptions in
// wasm/src/options.ts whose texts name files, or are about callers.
#pragma once

#include <emscripten/val.h>

#include "tabernetes/options.h"

namespace tabernetes::wasm {

// Returns options of which only these are set. REQUIRES: the list of modes is valid.
Options access_options_of(const emscripten::val& given);

// Returns the paths of the files that they name and `given` lacks.
emscripten::val missing_files_of(const emscripten::val& given);

// Returns the first fault and its option, as an object of texts; no fault: it is empty.
emscripten::val access_fault(const emscripten::val& given);

}  // namespace tabernetes::wasm
