#include "base/algorithm/fnv.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes {
namespace {

// Of the test suite of the algorithm's authors.
TEST_CASE("fnv: 32 bits", "[base]") {
  const auto hash = [](std::string_view text) {
    Fnv32a fnv;
    fnv.add(text);
    return fnv.value();
  };
  CHECK(hash("") == 0x811c9dc5);
  CHECK(hash("a") == 0xe40c292c);
  CHECK(hash("foobar") == 0xbf9cf968);
}

TEST_CASE("fnv: 64 bits", "[base]") {
  const auto hash = [](std::string_view text) {
    Fnv64a fnv;
    fnv.add(text);
    return fnv.value();
  };
  CHECK(hash("") == 0xcbf29ce484222325);
  CHECK(hash("a") == 0xaf63dc4c8601ec8c);
  CHECK(hash("foobar") == 0x85944171f73967e8);
}

TEST_CASE("fnv: 128 bits", "[base]") {
  const auto hash = [](std::string_view text) {
    Fnv128a fnv;
    fnv.add(text);
    return fnv.value();
  };
  CHECK(hash("") == Fnv128a::Value{0x6c62272e07bb0142, 0x62b821756295c58d});
  CHECK(hash("a") == Fnv128a::Value{0xd228cb696f1a8caf, 0x78912b704e4a8964});
  CHECK(hash("foobar") == Fnv128a::Value{0x343e1662793c64bf, 0x6f0d3597ba446f18});
  CHECK(hash("foobar") < hash("a"));
  Fnv128a parts;
  parts.add("foo");
  parts.add("bar");
  CHECK(parts.value() == hash("foobar"));
}

}  // namespace
}  // namespace tabernetes
