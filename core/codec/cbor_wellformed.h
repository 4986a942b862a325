// Checks that bytes are one well-formed item of CBOR that the real server accepts, with
// fxamacker/cbor's messages. Source: its valid.go 2.9, under the options of apimachinery 1.36.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "codec/cbor_wire.h"

namespace tabernetes::codec::cbor {

// Returns an error, or an empty text if the bytes are exactly one item. Arrays, maps and nested
// tags may be 10000 deep; NaN, infinities and bignums are always rejected here. `heads` receives
// the head of every item and the breaks of the indefinite ones, in order.
std::string wellformed_error(std::string_view bytes, std::vector<Head>& heads);

// Checks the first item of a sequence; sets `size` to its length.
std::string first_item_error(std::string_view bytes, std::size_t& size);

}  // namespace tabernetes::codec::cbor
