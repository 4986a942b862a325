// Expected order and paths are those of sigs.k8s.io/json's strict errors for untyped values.
#include "json/duplicates.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/json_reader.h"
#include "codec/json_writer.h"

namespace tabernetes::json {
namespace {

TEST_CASE("duplicates: paths in document order", "[json]") {
  struct Case {
    std::string_view text, paths, left;
  };
  static constexpr Case kCases[] = {
      {R"({"a":1,"b":{"a":2}})", "", R"({"a":1,"b":{"a":2}})"},
      {R"({"a":1,"a":2})", "a", R"({"a":2})"},
      {R"({"a":1,"b":2,"a":3,"a":4})", "a", R"({"a":4,"b":2})"},
      {R"({"a":{"x":1,"x":2},"b":1,"b":2})", "a.x b", R"({"a":{"x":2},"b":2})"},
      // Duplicates in values that are dropped later are reported, too.
      {R"({"a":{"x":1,"x":2},"a":3})", "a.x a", R"({"a":3})"},
      {R"([{"a":1,"a":2},[{"b":1,"b":2}]])", "[0].a [1][0].b", R"([{"a":2},[{"b":2}]])"},
      {R"({"":1,"":2})", "", R"({"":2})"},
      {R"("x")", "", R"("x")"},
  };
  for (const Case& c : kCases) {
    INFO(c.text);
    Arena arena;
    Value tree = codec::read_json(c.text, arena).value;
    std::string paths;
    for (const std::string& path : duplicate_paths(tree, "", 100)) {
      paths += (paths.empty() ? "" : " ") + path;
    }
    CHECK(paths == c.paths);
    remove_duplicates(tree, arena);
    std::string left;
    codec::write_json(tree, left);
    CHECK(left == c.left);
  }
}

TEST_CASE("duplicates: below a path, and no more than asked for", "[json]") {
  Arena arena;
  std::string text = "{";
  for (int i = 0; i < 100; ++i) {
    const std::string key = "\"k" + std::to_string(i) + "\":0,";
    text += key + key;
  }
  const Value tree = codec::read_json(text + "\"z\":0}", arena).value;
  const auto paths = duplicate_paths(tree, "[3].value", 4);
  CHECK(paths ==
        std::vector<std::string>{"[3].value.k0", "[3].value.k1", "[3].value.k2", "[3].value.k3"});
}

}  // namespace
}  // namespace tabernetes::json
