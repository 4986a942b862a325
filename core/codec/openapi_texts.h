// Reads the uncompressed output of tools/explain/pack.mjs:
//
//   {"notice": ..., "format": 1, "kubernetes": "1.36",
//    "texts": [TEXT...],
//    "types": {NAME: {"": N, FIELD: N...}...},      N: the index of a text
//    "parameters": {NAME: N...}}
//
// Tested by tests/core/codec/openapi_texts_test.cc and tests/fuzz/openapi_texts_fuzz.cc.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "schema/openapi/descriptions.h"

namespace tabernetes::codec {

// `kubernetes` is the required version of the texts. Errors: a message about `file`.
tl::expected<schema::openapi::Descriptions, std::string> read_openapi_texts(
    std::string_view file, std::string_view kubernetes);

}  // namespace tabernetes::codec
