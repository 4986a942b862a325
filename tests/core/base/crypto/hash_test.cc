#include "base/crypto/hash.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes {
namespace {

// Examples of FIPS 180-2.
TEST_CASE("hash: SHA-512 and SHA-256 of known texts", "[base]") {
  CHECK(sha512_hex_upper("abc") ==
        "DDAF35A193617ABACC417349AE20413112E6FA4E89A97EA20A9EEEE64B55D39A"
        "2192992A274FC1A836BA3C23A3FEEBBD454D4423643CE80E2A9AC94FA54CA49F");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

}  // namespace
}  // namespace tabernetes
