#include "codec/yaml_lines.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes::codec {
namespace {

TEST_CASE("yaml lines: the deepest field that is there", "[yaml]") {
  const std::string_view text =
      "# comment\n"
      "a:\n"
      "  b: 1\n"
      "  list:\n"
      "  - x: 1\n"
      "  - x: 2\n"
      "    y: {z: 3}\n"
      "anchor: &one\n"
      "  deep: 1\n"
      "alias: *one\n";
  CHECK(yaml_line_of(text, {}) == 1);
  CHECK(yaml_line_of(text, {"a"}) == 1);
  CHECK(yaml_line_of(text, {"a", "b"}) == 2);
  CHECK(yaml_line_of(text, {"a", "list", "1"}) == 5);
  CHECK(yaml_line_of(text, {"a", "list", "1", "y", "z"}) == 6);
  CHECK(yaml_line_of(text, {"a", "list", "7", "y"}) == 3);
  CHECK(yaml_line_of(text, {"alias", "deep"}) == 8);
  CHECK(yaml_line_of(text, {"none"}) == 1);
  CHECK(yaml_line_of("", {"a"}) == 0);
  CHECK(yaml_line_of("a: [", {"a"}) == 0);
}

}  // namespace
}  // namespace tabernetes::codec
