// What crosses the border between JavaScript and the core, and how.
//
// In:  the host writes a record into tab_input(size) and calls; a record is made of little-endian
//      32-bit words and of strings (a word of length, then the bytes). Time is milliseconds in a
//      double.
// Out: arrays of words; a string is (address, length) in linear memory. They live until the next
//      call, and a growing memory detaches views, so the host copies at once.
//
// The other side is wasm/src/instance.ts.
#pragma once

#include <string>

#include "record.h"

#define TAB_EXPORT extern "C" __attribute__((used, visibility("default")))

namespace tabernetes::wasm {

inline std::string input;    // the record of the next call
inline RecordWriter output;  // the answer of the last call

}  // namespace tabernetes::wasm
