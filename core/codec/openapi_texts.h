// Reads what tools/explain/pack.mjs writes, without its compression:
//
//   {"notice": ..., "format": 1, "kubernetes": "1.36",
//    "texts": [TEXT...],
//    "types": {NAME: {"": N, FIELD: N...}...},      N: the number of a text
//    "parameters": {NAME: N...}}
//
// Tested by tests/core/codec/openapi_texts_test.cc and tests/fuzz/openapi_texts_fuzz.cc.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "schema/openapi/descriptions.h"

namespace tabernetes::codec {

// `kubernetes`: the version that the texts have to be of. Errors: what is wrong with `file`.
tl::expected<schema::openapi::Descriptions, std::string> read_openapi_texts(
    std::string_view file, std::string_view kubernetes);

}  // namespace tabernetes::codec
