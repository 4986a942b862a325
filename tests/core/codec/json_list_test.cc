#include "codec/json_list.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace tabernetes::codec {
namespace {

// Prints "{1}|{2}", or "-" if there is no list.
std::string items_of(std::string_view text) {
  const auto items = split_json_list(text);
  if (!items) return "-";
  std::string out;
  for (const JsonItem& item : *items) out.append(out.empty() ? "" : "|").append(item.text);
  return out;
}

TEST_CASE("json list: items as they stand in the text", "[codec]") {
  struct Case {
    std::string_view text, items;
  };
  static constexpr Case kCases[] = {
      {R"({"kind":"List","items":[{"a":1},{"b":[{}]}]})", R"({"a":1}|{"b":[{}]})"},
      {R"({"items":[{"a":1}],"metadata":{"x":[1]},"n":-1.5e3,"t":true,"kind":"PodList"})",
       R"({"a":1})"},
      {" {\n \"kind\" : \"List\" ,\t\"items\" : [ { } , { \"a\" : \"]}\\\"\" } ] }\r\n ",
       "{ }|{ \"a\" : \"]}\\\"\" }"},
      {R"({"kind":"List","items":[{"a":"\\"}]})", R"({"a":"\\"})"},
      {R"({"kind":"List","items":[{"a":"\\\"}\"\\"},{"":""}]})", R"({"a":"\\\"}\"\\"}|{"":""})"},
      {R"({"kind":"List","items":[]})", ""},
      {R"({"kind":"List","items":[ ] })", ""},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.text) { CHECK(items_of(c.text) == c.items); }
  }
}

TEST_CASE("json list: an item's kind", "[codec]") {
  const auto items = split_json_list(
      R"({"kind":"List","items":[{"kind":"Pod"},{"x":{"kind":"Pod"}},{"kind":1},{"kind":"\u0041"}]})");
  REQUIRE(items);
  REQUIRE(items->size() == 4);
  CHECK((*items)[0].kind == "Pod");
  CHECK((*items)[1].kind.empty());
  CHECK((*items)[2].kind.empty());
  CHECK((*items)[3].kind == "A");
}

TEST_CASE("json list: what is not surely a list is left to the reader", "[codec]") {
  for (const std::string_view text : {
           "",
           "{",
           "{}",
           "[]",
           R"({"kind":"List"})",
           R"({"items":[]})",
           R"({"kind":"Pod","items":[]})",
           R"({"kind":1,"items":[]})",
           R"({"kind":"List","items":{}})",
           R"({"kind":"List","items":null})",
           R"({"kind":"List","items":[1]})",
           R"({"kind":"List","items":[{}],"items":[{}]})",
           R"({"kind":"Pod","kind":"List","items":[{}]})",
           R"({"kind":"List","kind":"List","items":[{}]})",
           R"({"\u006bind":"List","items":[{}]})",
           R"({"kind":"Li\u0073t","items":[{}]})",
           R"({"kind":"List","items":[{}]} {})",
           R"({"kind":"List","items":[{}]}x)",
           R"({"kind":"List","items":[{}]]})",
           R"({"kind":"List","items":[{}}})",
           R"({"kind":"List","items":[{},]})",
           R"({"kind":"List","items":[,{}]})",
           R"({"kind":"List","items":[{} {}]})",
           R"({"kind":"List","items":[{"a"}]})",
           R"({"kind":"List","items":[{"a":[}]}]})",
           R"({"kind":"List","items":[{}],})",
           R"({"kind":"List","items":[{}],"x":})",
           R"({"kind":"List","items":[{}],"x":y})",
           R"({"kind":"List","items":[{}],x:1})",
           R"({"kind":"List" "items":[{}]})",
           R"({"kind":"List","items":[{})",
           R"({"kind":"List","items":[{"a":"})",
           R"({"kind":"List","items":[{"a":"\)",
       }) {
    DYNAMIC_SECTION(text) { CHECK(items_of(text) == "-"); }
  }
}

TEST_CASE("json list: a text's prefixes are no list", "[codec]") {
  const std::string text = R"({"kind":"List","items":[{"a":"x\"y"},{"b":[1,{"c":null}]}]})";
  for (std::size_t size = 0; size < text.size(); ++size) {
    CHECK(items_of(std::string_view(text).substr(0, size)) == "-");
  }
  CHECK(items_of(text) != "-");
}

TEST_CASE("json array: taken out of its document", "[codec]") {
  const auto split = [](std::string_view text) -> std::string {
    const auto parts = split_json_array(text, "objects");
    if (!parts) return "-";
    std::string out = parts->frame;
    for (const std::string_view item : parts->items) out.append("|").append(item);
    return out;
  };
  CHECK(split(R"({"a":[1],"objects":[{"b":"]"},{}],"c":2})") ==
        R"({"a":[1],"objects":[],"c":2}|{"b":"]"}|{})");
  CHECK(split("{\"objects\" : [\n{ },\n1\n] }\n") == "{\"objects\" : [] }\n|{ }|1");
  CHECK(split(R"({"objects":[]})") == R"({"objects":[]})");
  // Text after the list is left unchanged.
  CHECK(split(R"({"objects":[1],"objects":[2]nonsense)") ==
        R"({"objects":[],"objects":[2]nonsense|1)");
  for (const std::string_view text :
       {"", "[]", "{}", R"({"objects":{}})", R"({"objects":[1,]})", R"({"objects":[1 2]})",
        R"({"objects":[1)", R"({"a":,"objects":[]})", R"({"a":{"objects":[]}})"}) {
    CAPTURE(text);
    CHECK(split(text) == "-");
  }
}

}  // namespace
}  // namespace tabernetes::codec
