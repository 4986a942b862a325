// Whether bytes are one well-formed item of CBOR that the real server takes, with the texts of
// fxamacker/cbor. Source: its valid.go 2.9, under the options of apimachinery 1.36.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::codec::cbor {

// Empty: it is one. Arrays, maps and tags in tags nest no deeper than 10000; NaN, infinities and
// big numbers are refused here already, whoever reads.
std::string wellformed_error(std::string_view bytes);

}  // namespace tabernetes::codec::cbor
