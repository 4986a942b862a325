// Whether bytes are one well-formed item of CBOR that the real server takes, with the texts of
// fxamacker/cbor. Source: its valid.go 2.9, under the options of apimachinery 1.36.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "codec/cbor_wire.h"

namespace tabernetes::codec::cbor {

// Empty: it is one, with nothing after it. Arrays, maps and tags in tags nest no deeper than 10000;
// NaN, infinities and big numbers are refused here already, whoever reads. `heads` gets the head of
// every item, and the breaks that end the indefinite ones, in the order of the bytes.
std::string wellformed_error(std::string_view bytes, std::vector<Head>& heads);

// The same of the first item of a sequence; `size` is set to how long it is.
std::string first_item_error(std::string_view bytes, std::size_t& size);

}  // namespace tabernetes::codec::cbor
