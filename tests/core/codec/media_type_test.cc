#include "codec/media_type.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <string>

namespace tabernetes::codec {
namespace {

// Prints "application/json@0.5;as=Table": a type, its quality, its parameters by name.
std::string shown(std::string_view type,
                  std::vector<std::pair<std::string, std::string>> parameters) {
  std::string out(type);
  std::sort(parameters.begin(), parameters.end());
  for (const auto& [name, value] : parameters) out += ";" + name + "=" + value;
  return out;
}

std::string shown(const std::vector<AcceptClause>& clauses) {
  std::string out;
  for (const AcceptClause& clause : clauses) {
    char quality[32];
    std::snprintf(quality, sizeof quality, "@%.3g", clause.q);
    if (!out.empty()) out += ' ';
    out += shown(clause.type + "/" + clause.subtype + quality, clause.parameters);
  }
  return out;
}

// The expected results are those of goautoneg's ParseAccept.
TEST_CASE("media type: Accept clauses are tried in goautoneg's order", "[codec]") {
  struct Case {
    std::string_view header, clauses;
  };
  static constexpr Case kCases[] = {
      {"", "*/*@1"},
      {"*/*", "*/*@1"},
      {"*", "*/*@1"},
      {"application/json", "application/json@1"},
      {"*/*;q=0.9,application/yaml;q=0.1", "application/yaml@0.1 */*@0.9"},
      {"application/yaml;q=0.1,*/*;q=0.9", "*/*@0.9 application/yaml@0.1"},
      {"text/html, application/yaml;q=0.9, */*;q=0.1", "text/html@1 application/yaml@0.9 */*@0.1"},
      {"application/json;as=Table;v=v1;g=meta.k8s.io, application/json",
       "application/json@1;as=Table;g=meta.k8s.io;v=v1 application/json@1"},
      {"a/b;q=0.5,c/d;q=0.7,e/f", "e/f@1 c/d@0.7 a/b@0.5"},
      {"application/*;q=1,application/json;q=0.2", "application/json@0.2 application/*@1"},
      {"json,a/b", "a/b@1"},
      {"a/b/c,d/e", "d/e@1"},
      {"a/b/,d/e", "a/b@1 d/e@1"},
      {"a/b;q=x", "a/b@0"},
      {"a/b;q= 0.3", "a/b@0"},
      {"a/b;q=0.5;q=0.7,c/d;q=0.6", "a/b@0.7 c/d@0.6"},
      {"a/b;x;y=;z=1=2;w=1=;v= 3 ", "a/b@1;v=3;w=1"},
      {"a/b;x=1;x=2", "a/b@1;x=2"},
      {"A/B;Q=0.5", "A/B@1;Q=0.5"},
      {",", ""},
      {"a/b,,c/d", "a/b@1 c/d@1"},
      {" a / b ;v=v1", "a/b@1;v=v1"},
      {"/b", "/b@1"},
      {"a/b;q=1e-3,c/d;q=.5,e/f;q=-1", "c/d@0.5 a/b@0.001 e/f@-1"},
      {"a/*,*/*,b/c;q=0.1", "b/c@0.1 a/*@1 */*@1"},
      {"a/;v=1", ""},
      {"a/ ;v=1", "a/@1;v=1"},
  };
  for (const Case& c : kCases) {
    CAPTURE(c.header);
    CHECK(shown(parse_accept(c.header)) == c.clauses);
  }
}

TEST_CASE("media type: an absent parameter is empty", "[codec]") {
  const auto clauses = parse_accept("application/json;as=Table;g=meta.k8s.io");
  REQUIRE(clauses.size() == 1);
  CHECK(clauses[0].parameter("as") == "Table");
  CHECK(clauses[0].parameter("v").empty());
}

// The expected results are those of Go's mime.ParseMediaType.
TEST_CASE("media type: Content-Type is read as in Go", "[codec]") {
  struct Case {
    std::string_view header, media_type;
  };
  static constexpr Case kCases[] = {
      {"application/json", "application/json"},
      {"Application/JSON; Charset=UTF-8", "application/json;charset=UTF-8"},
      {"application/json;", "application/json"},
      {"application/json; charset", "error"},
      {"application/json, application/yaml", "error"},
      {"garbage", "garbage"},
      {"", "error"},
      {"  application/yaml  ", "application/yaml"},
      {"application/", "error"},
      {"/json", "error"},
      {"application/json;charset=\"utf-8\"", "application/json;charset=utf-8"},
      {"application/json;a=\"x\\\"y\\z\"", "application/json;a=x\"y\\z"},
      {"application/json;a=1;a=1", "application/json;a=1"},
      {"application/json;a=1;a=2", "error"},
      {"application/json ; a = b", "application/json;a=b"},
      {"application/json;a=", "error"},
      {"application/json;a=\"\"", "application/json;a="},
      {"application/json;;a=b", "error"},
      {"application/json;a=b c", "error"},
      {"application/json x", "error"},
      {"application/json;a=\"open", "error"},
      {"application/json;a=b;", "application/json;a=b"},
  };
  for (const Case& c : kCases) {
    CAPTURE(c.header);
    const auto media = parse_content_type(c.header);
    CHECK((media ? shown(media->type, media->parameters) : "error") == c.media_type);
  }
}

}  // namespace
}  // namespace tabernetes::codec
