#include <catch2/catch_test_macros.hpp>

#include "tabernetes/http.h"

namespace tabernetes {
namespace {

TEST_CASE("headers: the first value of a name is found", "[base]") {
  const Headers headers = {{"accept", "a"}, {"host", ""}, {"accept", "b"}};
  CHECK(find_header(headers, "accept") == "a");
  CHECK(find_header(headers, "host").empty());
  CHECK(find_header(headers, "cookie").empty());
}

}  // namespace
}  // namespace tabernetes
